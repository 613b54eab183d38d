import { readFileSync } from 'node:fs'
import Fastify from 'fastify'

// The peer of the listing: one Fastify route that answers bytes which it has ready. Run as a process of its own:
//   node bare-route.js FILE
const body = readFileSync(process.argv[2] ?? '')
const app = Fastify()
app.get('/services', (_request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8').send(body)
})
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
