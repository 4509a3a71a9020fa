// Takes whatever is posted to it and does nothing with it.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
});
server.listen(Number(process.env.PORT), process.env.HOST, () => {
  console.log(JSON.stringify({ url: `http://${process.env.HOST}:${server.address().port}` }));
});
