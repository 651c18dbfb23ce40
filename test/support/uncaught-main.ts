import fastify from 'fastify'
import { endOnUncaught, noteRequests } from '#api/http/last-words'

/** A server whose call fails where nothing catches it, as in a callback of a package. */
endOnUncaught()
const app = fastify()
noteRequests(app)
app.get('/waits', () => {
  console.log('waiting')
  return new Promise(() => {})
})
app.get('/fails', () => {
  setImmediate(() => {
    throw new TypeError('Object.defineProperty called on non-object')
  })
  return new Promise(() => {})
})
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
