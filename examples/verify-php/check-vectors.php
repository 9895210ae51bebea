<?php
// Runs verify.php against vectors/: php check-vectors.php

declare(strict_types=1);

require __DIR__ . '/verify.php';

use Toolgate\SignatureError;
use function Toolgate\verifyToolRequest;
use function Toolgate\verifyWebhook;

const REASONS = ['missing' => ['missing_header', 'malformed'], 'window' => ['expired'], 'different' => ['mismatch']];
$read = fn (string $name) => json_decode(file_get_contents(__DIR__ . "/../../vectors/$name"), true, flags: JSON_THROW_ON_ERROR);
$wrong = [];
$checked = 0;

$document = $read('tool-signature.json');
foreach ([...$document['accepted'], ...$document['refused']] as $vector) {
    $checked++;
    $request = $vector['request'];
    $target = $request['path'] . ($request['query'] === '' ? '' : "?{$request['query']}");
    $body = isset($request['body_base64']) ? base64_decode($request['body_base64']) : ($request['body'] ?? '');
    $headers = ['Host' => $request['host']] + $request['headers'];
    $reason = null;
    try {
        $call = verifyToolRequest($vector['secret'], $request['method'], $target, $headers, $body, now: $document['now']);
        if ($call['request_id'] !== $headers['x-toolgate-request-id']) {
            $wrong[] = "{$vector['name']}: request id {$call['request_id']}";
        }
    } catch (SignatureError $error) {
        $reason = $error->reason;
    }
    if (!in_array($reason, isset($vector['reason']) ? REASONS[$vector['reason']] : [null], true)) {
        $wrong[] = "tool request, {$vector['name']}: $reason";
    }
}

foreach ($read('webhook-signature.json')['cases'] as $vector) {
    foreach (array_filter([$vector['secret'], $vector['previous_secret']]) as $secret) {
        $body = $vector['body'];
        foreach ([[null, 5, $body], ['expired', 301, $body], ['mismatch', 5, "$body "]] as [$wanted, $age, $sent]) {
            $checked++;
            $reason = null;
            try {
                verifyWebhook($secret, $vector['headers'], $sent, now: $vector['timestamp'] + $age);
            } catch (SignatureError $error) {
                $reason = $error->reason;
            }
            if ($reason !== $wanted) {
                $wrong[] = "webhook, {$vector['name']}: $reason, not $wanted";
            }
        }
    }
}

echo implode("\n", ["$checked checked", ...$wrong]), "\n";
exit($wrong !== [] || $checked < 30 ? 1 : 0);
