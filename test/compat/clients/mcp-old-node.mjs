/** Lists and calls tools by the client of the protocol's first line; prints what came as JSON. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [, , url, key, calls] = process.argv;
const client = new Client({ name: 'compat', version: '1' });
const requestInit = { headers: { 'x-api-key': key } };
const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit });
await client.connect(transport);
const { tools } = await client.listTools();
const answers = {};
for (const [name, given] of Object.entries(JSON.parse(calls))) {
  const { isError = false, content } = await client.callTool({ name, arguments: given });
  answers[name] = { isError, text: content[0].text };
}
const protocol = transport.protocolVersion;
console.log(JSON.stringify({ protocol, tools: tools.map(({ name }) => name), answers }));
await client.close();
