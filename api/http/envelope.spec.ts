import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { StreamBusy } from '#commands/handle'
import { ReadModelsBehind } from '#projections/catch-up'
import { installErrors } from './envelope.ts'

it('answers a command that lost every race with 503 and Retry-After, not with code 140', async () => {
  const app = fastify()
  installErrors(app)
  app.put('/', async () => {
    throw new StreamBusy('campaign-1')
  })
  const answer = await app.inject({ method: 'PUT', url: '/' })
  expect(answer.statusCode).toBe(503)
  expect(answer.headers['retry-after']).toBe('1')
  expect(answer.json()).toMatchObject({ type: { code: 1 }, data: { errors: [] } })
  expect(answer.body).not.toContain('campaign-1')
})

it('answers a query with 503 and Retry-After while read models are behind', async () => {
  const app = fastify()
  installErrors(app)
  app.get('/', async () => {
    throw new ReadModelsBehind()
  })
  const answer = await app.inject({ method: 'GET', url: '/' })
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1'])
  expect(answer.json()).toMatchObject({ type: { code: 1 } })
})

// covers ERR-14
it('answers an unexpected failure with code 1 and no details', async () => {
  const app = fastify()
  installErrors(app)
  app.get('/', async () => {
    throw new Error('the password of the database is secret')
  })
  const answer = await app.inject({ method: 'GET', url: '/' })
  expect([answer.statusCode, answer.json().type]).toEqual([
    500,
    { code: 1, key: 'backend_exception', message: 'Backend exception' },
  ])
  expect(answer.body).not.toContain('secret')
})
