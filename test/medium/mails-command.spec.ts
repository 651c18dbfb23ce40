import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runTool } from '../support/command-line.ts'
import { eventually, startTestProduct, type TestProduct } from '../support/product.ts'
import { outboxOf } from '../support/mails.ts'

describe('npm run mails', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct()
    await product.database.pool.query(`
      insert into app.mails (id, whitelabel_id, person_id, template, data, attempts, next_at, failure)
      select id, 'dsp', (select id from identity.people where email = 'ada@nile.example'), 'password-changed', '{}', 1,
        now() + interval '1 day', failure
      from (values ('given-up', 'refused with 550'), ('waits', null)) as mails (id, failure)`)
  })
  afterAll(() => product.stop())

  const run = (...args: readonly string[]) =>
    runTool('api/cli/mails.ts', args, product.database.url, {
      env: { PLACARD_DATA_DIR: product.dataDir, PLACARD_UNSAFE_DATABASE: 'on', PLACARD_DEMO: 'off' },
    })

  it('lists what waits and what was given up, without an address, and sends them again', async () => {
    const listed = await run('list')
    expect(listed).toMatchObject({ code: 0, err: '' })
    expect(listed.out).toMatch(/^given-up\tpassword-changed\t.*\trefused with 550$/m)
    expect(listed.out).toMatch(/^waits\tpassword-changed\t.*waits, next attempt/m)
    expect(listed.out).not.toContain('ada@')
    expect(await run('retry', 'given-up')).toMatchObject({ code: 0, out: '1 mails are sent again.\n' })
    await eventually(
      async () => (await outboxOf(product.dataDir)).length,
      (n) => n === 1,
    )
    expect(await run('retry', '--all')).toMatchObject({ code: 0 })
    await eventually(
      async () => (await outboxOf(product.dataDir)).length,
      (n) => n === 2,
    )
    expect((await run('list')).out).toBe('No mail waits, and none was given up.\n')
  })

  it.each([
    [['retry', 'unknown'], 1],
    [['retry'], 2],
    [['list', 'x'], 2],
    [[], 2],
  ] as const)('%j exits with %s', async (args, code) => {
    expect((await run(...args)).code).toBe(code)
  })
})
