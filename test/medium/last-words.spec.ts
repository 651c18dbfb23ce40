import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { nodeRuns, root } from '../support/product-process.ts'

it('an error that nothing caught ends the process with one line of JSON, and answers every open request', async () => {
  const child = spawn(process.execPath, nodeRuns('test/support/uncaught-main.ts'), { cwd: root })
  let [out, errors] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)))
  const ended = once(child, 'close')
  await once(child.stdout, 'data')
  const base = out.trim()
  const waiting = fetch(`${base}/waits`)
  await once(child.stdout, 'data')
  const failing = await fetch(`${base}/fails`)
  for (const answer of [failing, await waiting]) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await answer.json()).toMatchObject({ type: { code: 1 }, data: { errors: [] } })
  }
  expect(await ended).toEqual([1, null])
  const lines = out.trim().split('\n').slice(2)
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 60, err: { type: 'TypeError' }, msg: 'an error that nothing caught ends the process' },
  ])
  expect(errors).toBe('')
})

it('a process of one role writes lines of JSON alone, also of a start that fails', async () => {
  const env = { ...process.env, PLACARD_ROLE: 'policies', DATABASE_URL: 'postgres://ads:secret@127.0.0.1:1/ads', PORT: '0' }
  const child = spawn(process.execPath, nodeRuns('api/main.ts'), { cwd: root, env })
  let [out, errors] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)))
  expect(await once(child, 'close')).toEqual([1, null])
  const lines = out.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as { level: number; msg: string }).at(-1)).toMatchObject({
    level: 60,
    msg: expect.stringMatching(/^DATABASE_URL: /) as string,
  })
  expect(errors).toBe('')
  expect(out).not.toContain('secret')
})
