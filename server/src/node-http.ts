// What the server uses of node:http. An import of that module reads all its exports, one of which loads the WebSocket client of Node with
// HTTP/2: 8 MB and 45 ms at the start.

export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
