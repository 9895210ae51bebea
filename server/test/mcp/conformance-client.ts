// The command that the conformance suite starts as the client under test: tells the test where the suite's server is, and waits until the
// server under test has synced it and called its tools. The client is in the server, so that it is tested with all that is around it.

const [control = '', url = ''] = process.argv.slice(2);
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;
const response = await fetch(control, {
  method: 'POST',
  body: JSON.stringify({ scenario, url, context: JSON.parse(context) }),
});
if (!response.ok) {
  console.error(await response.text());
  process.exitCode = 1;
}
