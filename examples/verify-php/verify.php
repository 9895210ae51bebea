<?php
// Verifies requests and webhooks of toolgate. PHP 8.1 or later, no packages.
//
//     require 'verify.php';
//     try {
//         $call = Toolgate\verifyToolRequest(
//             secret: getenv('TOOL_SECRET'), method: $_SERVER['REQUEST_METHOD'], target: $_SERVER['REQUEST_URI'],
//             headers: getallheaders(), body: file_get_contents('php://input'));
//     } catch (Toolgate\SignatureError) {
//         http_response_code(401);
//         exit;
//     }

declare(strict_types=1);

namespace Toolgate;

/** Answer 401. `reason` is missing_header, malformed, expired or mismatch. */
final class SignatureError extends \RuntimeException
{
    public function __construct(
        public readonly string $reason,
        string $message,
        public readonly ?string $canonicalString = null,
    ) {
        parent::__construct($message);
    }
}

/**
 * Returns on whose behalf toolgate calls, or throws SignatureError.
 *
 * @param string|list<string> $secret one of several is enough
 * @param string $target path and query exactly as received
 * @param array<string, string> $headers
 * @return array{project_id: string, integration_id: ?string, member_id: ?string, request_id: string}
 */
function verifyToolRequest(
    string|array $secret,
    string $method,
    string $target,
    array $headers,
    string $body,
    int $toleranceSeconds = 300,
    ?int $now = null,
): array {
    $given = array_change_key_case($headers, CASE_LOWER);
    $timestamp = required($given, 'x-toolgate-timestamp');
    $requestId = required($given, 'x-toolgate-request-id');
    $projectId = required($given, 'x-toolgate-project-id');
    $signatures = matching(explode(',', required($given, 'x-toolgate-signature')), '/^v1=[0-9a-f]{64}$/D');
    $integrationId = $given['x-toolgate-integration-id'] ?? '';
    $memberId = $given['x-toolgate-member-id'] ?? '';
    checkTimestamp($timestamp);
    [$path, $query] = explode('?', $target, 2) + [1 => ''];
    $lines = [
        'v1', $timestamp, $requestId, strtoupper($method), required($given, 'host'), $path, $query,
        hash('sha256', $body), $projectId, $integrationId, $memberId,
    ];
    $canonical = implode("\n", $lines);
    if (substr_count($canonical, "\n") !== 10) {
        throw new SignatureError('malformed', 'a signed value contains a line break');
    }
    $expected = array_map(fn (string $key) => 'v1=' . hash_hmac('sha256', $canonical, $key), secrets($secret));
    if (!anyEqual($signatures, $expected)) {
        throw new SignatureError('mismatch', 'another secret, or the request was changed on its way', $canonical);
    }
    refuseExpired($timestamp, $toleranceSeconds, $now);
    return [
        'project_id' => $projectId,
        'integration_id' => $integrationId === '' ? null : $integrationId,
        'member_id' => $memberId === '' ? null : rawurldecode($memberId),
        'request_id' => $requestId,
    ];
}

/**
 * Returns the event, or throws SignatureError. Verifies the headers of Standard Webhooks.
 *
 * @param string|list<string> $secret one of several is enough
 * @param array<string, string> $headers
 */
function verifyWebhook(
    string|array $secret,
    array $headers,
    string $body,
    int $toleranceSeconds = 300,
    ?int $now = null,
): mixed {
    $given = array_change_key_case($headers, CASE_LOWER);
    $signatures = matching(explode(' ', required($given, 'webhook-signature')), '/^v1,[A-Za-z0-9+\/=]+$/D');
    $timestamp = required($given, 'webhook-timestamp');
    $signed = required($given, 'webhook-id') . ".$timestamp.$body";
    checkTimestamp($timestamp);
    $expected = array_map(
        fn (string $each) => 'v1,' . base64_encode(hash_hmac('sha256', $signed, webhookKey($each), true)),
        secrets($secret),
    );
    if (!anyEqual($signatures, $expected)) {
        throw new SignatureError('mismatch', 'another secret, or the body was changed on its way');
    }
    refuseExpired($timestamp, $toleranceSeconds, $now);
    return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
}

function required(array $headers, string $name): string
{
    $value = $headers[$name] ?? '';
    return $value !== '' ? $value : throw new SignatureError('missing_header', "the header $name is missing");
}

/** An empty secret would accept what anybody can sign. */
function secrets(string|array $secret): array
{
    $secrets = (array) $secret;
    if ($secrets === [] || in_array('', $secrets, true)) {
        throw new \InvalidArgumentException('secret must not be empty');
    }
    return array_values($secrets);
}

function webhookKey(string $secret): string
{
    $key = base64_decode(str_starts_with($secret, 'whsec_') ? substr($secret, 6) : $secret, true);
    return $key !== false && $key !== ''
        ? $key
        : throw new \InvalidArgumentException('secret must be the text whsec_… of the webhook');
}

function matching(array $entries, string $pattern): array
{
    $found = array_values(array_filter(array_map('trim', $entries), fn (string $entry) => preg_match($pattern, $entry) === 1));
    return $found !== [] ? $found : throw new SignatureError('malformed', 'the signature header has no entry v1');
}

function checkTimestamp(string $text): void
{
    if (preg_match('/^[0-9]{1,12}$/D', $text) !== 1) {
        throw new SignatureError('malformed', 'the timestamp is not a Unix time');
    }
}

function refuseExpired(string $timestamp, int $toleranceSeconds, ?int $now): void
{
    $age = ($now ?? time()) - (int) $timestamp;
    if (abs($age) > $toleranceSeconds) {
        throw new SignatureError('expired', "signed $age s ago");
    }
}

function anyEqual(array $given, array $expected): bool
{
    $found = false;
    foreach ($given as $entry) {
        foreach ($expected as $each) {
            $found = hash_equals($each, $entry) || $found;
        }
    }
    return $found;
}
