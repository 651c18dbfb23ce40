import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runTool } from '../support/command-line.ts'
import { eventually, startTestProduct, type TestProduct } from '../support/product.ts'
import { outboxOf } from '../support/mails.ts'

describe('npm run jobs', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct()
    await product.database.pool.query(`
      with mails as (
        insert into app.mails (id, whitelabel_id, person_id, template, data)
        select id, 'dsp', (select id from identity.people where email = 'ada@nile.example'), 'password-changed', '{}'
        from (values ('given-up'), ('waits')) as m (id) returning id
      )
      insert into app.jobs (kind, key, payload, tries, run_at, error, dead_at)
      select 'mail', id, '{"v": "1", "template": "password-changed"}', 1, now() + interval '1 day', e.error,
        case when e.error is not null then now() end
      from mails join (values ('given-up', 'refused with 550'), ('waits', null)) as e (id, error) using (id)`)
  })
  afterAll(() => product.stop())

  const run = (...args: readonly string[]) =>
    runTool('api/cli/jobs.ts', args, product.database.url, {
      env: { PLACARD_DATA_DIR: product.dataDir, PLACARD_UNSAFE_DATABASE: 'on', PLACARD_DEMO: 'off' },
    })

  it('lists what waits and what was given up, without an address, and runs them again', async () => {
    const listed = await run('list')
    expect(listed).toMatchObject({ code: 0, err: '' })
    expect(listed.out).toMatch(/^mail\tgiven-up\t.*"password-changed".*\tgiven up: refused with 550$/m)
    expect(listed.out).toMatch(/^mail\twaits\t.*\t1 tries\twaits, next try /m)
    expect(listed.out).not.toContain('ada@')
    const dead = await run('list', '--dead', '--kind', 'mail')
    expect(dead.out.match(/^mail\t.*$/gm)).toEqual([expect.stringContaining('given-up')])
    expect((await run('list', '--kind', 'payment')).out).toBe('No job waits, and none was given up.\n')

    const metrics = await (await fetch(`${product.base}/metrics`)).text()
    for (const line of ['placard_jobs{kind="mail",state="dead"} 1', 'placard_jobs{kind="mail",state="waiting"} 1'])
      expect(metrics).toContain(line)
    expect(metrics).toContain('placard_jobs_oldest_due_seconds{kind="payment"} 0')

    expect(await run('retry', 'given-up')).toMatchObject({ code: 0, out: '1 jobs run again.\n' })
    await eventually(
      async () => (await outboxOf(product.dataDir)).length,
      (n) => n === 1,
    )
    expect((await run('list', '--dead')).out).toBe('No job was given up.\n')
    expect(await run('retry', '--kind', 'mail')).toMatchObject({ code: 0 })
    await eventually(
      async () => (await outboxOf(product.dataDir)).length,
      (n) => n === 2,
    )
    expect((await run('list')).out).toBe('No job waits, and none was given up.\n')
  })

  it.each([
    [['retry', 'unknown'], 1],
    [['retry'], 2],
    [['retry', 'waits', '--all'], 2],
    [['list', '--kind', 'letters'], 2],
    [['list', 'x'], 2],
    [[], 2],
  ] as const)('%j exits with %s', async (args, code) => {
    expect((await run(...args)).code).toBe(code)
  })
})
