// Takes whatever is posted to it, as a receiver of events does, and tells how many came and how
// fast.
import { createServer } from 'node:http';

let events = 0;
let firstAt = 0;
let lastAt = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET') return tell(response);
  let body = '';
  request
    .on('data', (chunk) => (body += chunk))
    .on('end', () => {
      const { batch } = JSON.parse(body);
      lastAt = performance.now();
      if (events === 0) firstAt = lastAt;
      events += batch ? batch.length : 1;
      response.writeHead(204).end();
    });
});

/** What came so far, and between which times. */
function tell(response) {
  response.end(JSON.stringify({ events, seconds: (lastAt - firstAt) / 1000 }));
}

server.listen(Number(process.env.PORT), process.env.HOST, () => {
  console.log(JSON.stringify({ url: `http://${process.env.HOST}:${server.address().port}` }));
});
