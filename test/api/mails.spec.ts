import { ERASERS } from '#api/areas/index'
import type { MailName } from '#commands/mail/mail-queue'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createKysely } from '#platform/database/pool'
import { queueMail } from '#platform/mail/mail-queue'
import { MAIL_TEMPLATES } from '#api/areas/index'
import { erasePerson } from '#platform/identity/erasure'
import { systemContext } from '#domain/kit/event-metadata'
import { createHandler } from '#commands/handle'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { derivedId, newId } from '#platform/ids'
import { eventually, sessionOf, startTestProduct, type TestProduct } from '../support/product.ts'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { outboxOf, recipientOf } from '../support/mails.ts'
import { voidInvoice } from '../support/void-invoice.ts'
import { startSmtp, type TestSmtp } from '../support/smtp.ts'

const open: { readonly stop: () => Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.stop()
})

async function started(env: Record<string, string> = {}): Promise<TestProduct> {
  const product = await startTestProduct({ LOG_LEVEL: 'silent', ...env })
  open.push(product)
  return product
}
/** The id of an invoice of Ada's account that was issued. */
async function issuedInvoice(product: TestProduct): Promise<string> {
  const { pool, url } = product.database
  const { rows } = await pool.query<{ id: string }>(
    `select home_space_id as id from identity.people where email = 'ada@nile.example'`,
  )
  const store = createPostgresEventStore({ pool, url })
  open.push({ stop: () => store.close() })
  const handle = createHandler({
    store,
    now: () => new Date().toISOString(),
    eventId: (id, n) => derivedId('event', id, String(n)),
  })
  const place = { spaceId: rows[0]?.id ?? '', whitelabelId: 'dsp' }
  return (await voidInvoice(handle, place, (id) => systemContext('invoices', id))).invoiceId
}
async function smtpServer(port?: number): Promise<TestSmtp> {
  const smtp = await startSmtp(port)
  open.push(smtp)
  return smtp
}
const dbOf = (product: TestProduct) => createKysely(product.database.pool)
const idOf = async (product: TestProduct, email: string): Promise<string> =>
  (await product.database.pool.query('select id from identity.people where email = $1', [email])).rows[0].id
async function queued(product: TestProduct, template: MailName, data: Record<string, string | number> = {}, id = newId()) {
  const to = { personId: await idOf(product, 'ada@nile.example') }
  await queueMail(dbOf(product), { id, whitelabelId: 'dsp', to, template, data })
  return id
}
/** A mail pauses for half a minute after a refusal. */
const mailOf = async (product: TestProduct, id: string) =>
  (
    await product.database.pool.query(
      `select m.sent_at, j.dead_at is not null as dead, j.error, j.tries,
         j.leased_until is null and j.run_at between now() and now() + interval '1 minute' as is_pausing
       from app.mails m left join app.jobs j on j.kind = 'mail' and j.key = m.id where m.id = $1`,
      [id],
    )
  ).rows[0]
const away = async (product: TestProduct) =>
  ((await (await fetch(`${product.base}/health/ready`)).json()) as { readonly away: readonly string[] }).away
const hurry = (product: TestProduct) => product.database.pool.query(`update app.jobs set run_at = now() where kind = 'mail'`)

describe('mails', () => {
  it('mails are sent once to a mail server, however often they are queued', async () => {
    const smtp = await smtpServer()
    const product = await started({ SMTP_URL: smtp.url })
    const id = await queued(product, 'password-changed', { at: '2026-11-23T10:00:00.000Z' })
    await queued(product, 'password-changed', {}, id)
    await eventually(
      async () => smtp.mails.length,
      (n) => n === 1,
    )
    await eventually(
      () => mailOf(product, id),
      ({ sent_at }) => sent_at !== null,
    )
    await queued(product, 'password-changed', {}, id)
    await delay(700)
    expect(smtp.mails).toHaveLength(1)
    expect(smtp.mails[0]).toMatchObject({ subject: 'Your Placard password was changed', messageId: `<${id}@placard.example>` })
    expect(smtp.mails[0]?.from?.value[0]?.address).toBe('ads@placard.example')
    expect(smtp.mails[0]?.text).toContain('November 23, 2026')
  })

  it('mails are sent again after a refusal for now, and given up after a final one', async () => {
    const smtp = await smtpServer()
    const product = await started({ SMTP_URL: smtp.url })
    smtp.behave({ kind: 'refuses', code: 451 })
    const id = await queued(product, 'password-changed')
    const refused = await eventually(
      () => mailOf(product, id),
      ({ tries, is_pausing }) => tries === 1 && is_pausing,
    )
    expect(refused).toMatchObject({ sent_at: null, dead: false })
    expect(smtp.attempts()).toBe(1)
    smtp.behave({ kind: 'accepts' })
    await hurry(product)
    await eventually(
      async () => smtp.mails.length,
      (n) => n === 1,
    )
    smtp.behave({ kind: 'refuses', code: 550 })
    const other = await queued(product, 'password-changed')
    const failed = await eventually(
      () => mailOf(product, other),
      ({ dead }) => dead,
    )
    expect(failed.error).toBe('refused with 550')
    await delay(500)
    expect(smtp.attempts()).toBe(3)
  })

  it('mails arrive once at a server that greets after four seconds and takes each mail seven seconds later', async () => {
    const smtp = await smtpServer()
    smtp.behave({ kind: 'slow', greetMs: 4000, takeMs: 7000 })
    const product = await started({ SMTP_URL: smtp.url })
    const id = await queued(product, 'password-changed')
    await eventually(
      () => mailOf(product, id),
      ({ sent_at }) => sent_at !== null,
    )
    expect(smtp.attempts()).toBe(1)
    expect(smtp.mails).toHaveLength(1)
    expect(await away(product)).toEqual([])
  })

  it('mails that take seven seconds each do not delay the stop of a campaign at its day budget by 2 s', async () => {
    const smtp = await smtpServer()
    const product = await started({ SMTP_URL: smtp.url, ...DELIVERED })
    const { running, send, status } = await deliveryIn(product)
    const [quiet, slow] = [await running({ budget: 10, budget_type_key: 2 }), await running({ budget: 10, budget_type_key: 2 })]
    /** From the answer to the batch that reached the budget until the campaign shows as stopped, milliseconds. */
    async function stopAfter(id: string): Promise<number> {
      const row = { hour: hour(), campaign_id: id, impressions: 100, spent: 10 }
      expect((await send(`reaches ${id}`, [row])).code).toBe(0)
      const began = performance.now()
      await status(id, 31)
      return performance.now() - began
    }
    const before = await stopAfter(quiet)
    smtp.behave({ kind: 'slow', greetMs: 4000, takeMs: 7000 })
    const attempts = smtp.attempts()
    for (let n = 0; n < 100; n++) await queued(product, 'password-changed')
    await eventually(
      async () => smtp.attempts(),
      (now) => now > attempts,
    )
    expect(await stopAfter(slow)).toBeLessThan(before + 2000)
  })

  it('mails that a server took without an answer are sent once more an hour later, and then given up', async () => {
    const smtp = await smtpServer()
    smtp.behave({ kind: 'swallows' })
    const product = await started({ SMTP_URL: smtp.url })
    const id = await queued(product, 'password-changed')
    const uncertain = async () =>
      (
        await product.database.pool.query(
          `select dead_at is not null as dead, error, tries, extract(epoch from run_at - now())::float8 as wait
           from app.jobs where kind = 'mail' and key = $1`,
          [id],
        )
      ).rows[0]
    const first = await eventually(uncertain, ({ wait }) => wait > 600)
    expect(first).toMatchObject({ dead: false, tries: 1 })
    expect(first.wait).toBeGreaterThan(3500)
    await hurry(product)
    const second = await eventually(uncertain, ({ dead }) => dead)
    expect(second).toMatchObject({ tries: 2, error: expect.stringContaining('may have arrived') })
    expect(smtp.mails).toHaveLength(2)
  })

  it('mails with a link for a new password are not sent once the password was changed after they were asked for', async () => {
    const smtp = await smtpServer()
    smtp.behave({ kind: 'refuses-sender', code: 553, at: 'recipient', text: '5.7.1 Sender address rejected: not owned by user' })
    const product = await started({ SMTP_URL: smtp.url })
    const id = await queued(product, 'password-reset')
    await eventually(
      () => mailOf(product, id),
      ({ tries, is_pausing }) => tries === 1 && is_pausing,
    )
    await product.database.pool.query(
      `update identity.people set password_hash = password_hash || ' ' where email = 'ada@nile.example'`,
    )
    smtp.behave({ kind: 'accepts' })
    await hurry(product)
    await eventually(
      () => mailOf(product, id),
      (mail) => mail === undefined,
    )
    expect(smtp.mails).toHaveLength(0)
    const later = await queued(product, 'password-reset')
    await eventually(
      () => mailOf(product, later),
      ({ sent_at }) => sent_at !== null,
    )
    expect(smtp.mails).toHaveLength(1)
  })

  it('mails are kept while the server refuses the sender, which the health names', async () => {
    const smtp = await smtpServer()
    smtp.behave({ kind: 'refuses-sender', code: 553, at: 'recipient', text: '5.7.1 Sender address rejected: not owned by user' })
    const product = await started({ SMTP_URL: smtp.url })
    const id = await queued(product, 'password-changed')
    await eventually(
      () => mailOf(product, id),
      ({ tries, is_pausing }) => tries === 1 && is_pausing,
    )
    expect(await mailOf(product, id)).toMatchObject({ dead: false, sent_at: null })
    expect(await away(product)).toEqual(['mail'])
    smtp.behave({ kind: 'accepts' })
    await hurry(product)
    await eventually(
      async () => smtp.mails.length,
      (n) => n === 1,
    )
    await eventually(
      () => away(product),
      (all) => all.length === 0,
    )
  })

  it('mails wait while the mail server is away or frozen, which the health names, and nothing else fails', async () => {
    const { port, stop } = await startSmtp()
    await stop()
    const product = await started({ SMTP_URL: `smtp://127.0.0.1:${port}?from=ads@placard.example` })
    const ready = async () => (await (await fetch(`${product.base}/health/ready`)).json()) as { status: string; away: string[] }
    const id = await queued(product, 'password-changed')
    expect(await eventually(ready, ({ away }) => away.includes('mail'))).toMatchObject({ status: 'degraded' })
    expect((await (await product.as('ada@nile.example')).call('GET', '/v1/user/me')).code).toBe(0)
    expect((await sessionOf(product.base, '').call('POST', '/v1/user/reset-password/init', 'ada@nile.example')).code).toBe(0)

    const smtp = await smtpServer(port)
    smtp.behave({ kind: 'frozen' })
    await delay(500)
    expect(smtp.mails).toEqual([])
    smtp.behave({ kind: 'accepts' })
    await eventually(ready, ({ away }) => away.length === 0)
    await hurry(product)
    // Beside those about the demo.
    await eventually(
      async () => smtp.mails.length,
      (n) => n >= 2,
    )
    await eventually(
      () => mailOf(product, id),
      ({ sent_at }) => sent_at !== null,
    )
  })

  it('mails that were taken by a process that died are sent after their time', async () => {
    const product = await started()
    const id = newId()
    await product.database.pool.query(
      `insert into app.mails (id, whitelabel_id, person_id, template, data) values ($1, 'dsp', $2, 'password-changed', '{}')`,
      [id, await idOf(product, 'ada@nile.example')],
    )
    await product.database.pool.query(
      `insert into app.jobs (kind, key, payload, tries, leased_by, leased_until)
       values ('mail', $1, '{"v": "1", "template": "password-changed"}', 1, 'dead', now() + interval '2 seconds')`,
      [id],
    )
    await delay(1000)
    expect(await outboxOf(product.dataDir)).toEqual([])
    await eventually(
      async () => (await outboxOf(product.dataDir)).length,
      (n) => n === 1,
    )
  })

  it('mails with a document that was never issued wait, and do not go out without it', async () => {
    const product = await started()
    await queued(product, 'invoice', { invoice: 'never-issued', currency: 'USD' })
    await queued(product, 'password-changed', { at: 'now' })
    await eventually(
      () =>
        product.database.pool.query<{ n: number }>(`select tries as n from app.jobs where payload ->> 'template' = 'invoice'`),
      ({ rows }) => (rows[0]?.n ?? 0) > 0,
    )
    const sent = await eventually(
      () => outboxOf(product.dataDir),
      (mails) => mails.length > 0,
    )
    expect(sent).toHaveLength(1)
    const { rows } = await product.database.pool.query(`select sent_at from app.mails where template = 'invoice'`)
    expect(rows).toEqual([{ sent_at: null }])
  })

  it('mails exist in both languages, with every value escaped', async () => {
    const product = await started()
    const hostile = '<script>alert(1)</script>"&\r\nBcc: thief@evil.example'
    await product.database.pool.query(
      `update identity.people set first_name = $1, status_key = 5 where email = 'ada@nile.example'`,
      [hostile],
    )
    const invoice = await issuedInvoice(product)
    const templates = Object.entries(MAIL_TEMPLATES).filter(([, { for: recipients }]) => recipients !== 'awaiting-completion')
    for (const language of [1, 2]) {
      await product.database.pool.query('update identity.people set language_key = $1', [language])
      const before = (await outboxOf(product.dataDir)).length
      for (const [name] of templates)
        await queued(product, name as MailName, {
          invoice,
          comment: hostile,
          device: hostile,
          at: 'nonsense',
          account: hostile,
          notice: 'empty',
          available: 1,
          currency: 'NGN',
        })
      const mails = await eventually(
        () => outboxOf(product.dataDir),
        (sent) => sent.length === before + templates.length,
      )
      for (const mail of mails.slice(before)) {
        expect(mail.html).not.toContain('<script>')
        expect(mail.headers.has('bcc')).toBe(false)
        expect(/[а-я]/i.test(mail.subject ?? '')).toBe(language === 2)
        expect(mail.text).toMatch(/https?:\/\//)
      }
    }
  })

  // covers FP-22
  it('mails of an erased person are removed', async () => {
    const product = await started()
    const id = await idOf(product, 'ada@nile.example')
    for (const [mailId, to] of [
      ['one', { personId: id }],
      ['two', { address: 'ada@nile.example' }],
    ] as const)
      await queueMail(dbOf(product), {
        id: mailId,
        whitelabelId: 'dsp',
        to,
        template: 'password-reset',
        data: {},
        afterSeconds: 86_400,
      })
    await erasePerson(dbOf(product), id, ERASERS)
    expect((await product.database.pool.query('select id from app.mails')).rows).toEqual([])
    expect((await product.database.pool.query(`select key from app.jobs where kind = 'mail'`)).rows).toEqual([])
  })
})

describe('notices of a low balance', () => {
  it('notices of a low balance are mailed to the owner once each when they become worse, unless turned off', async () => {
    const product = await started({ PLACARD_DEMO_DELIVERY: '0' })
    const owner = await product.as('owner@dsp.example')
    const ada = await product.as('ada@nile.example')
    const { data: me } = await ada.call<{ space_id: string }>('GET', '/v1/user/me')
    // $25 a day, since yesterday.
    const { rows } = await product.database.pool.query<{ id: string }>(
      'select id from rm_campaign_list where space_id = $1 order by id limit 1',
      [me.space_id],
    )
    await product.database.pool.query(
      'delete from app.campaign_spend where campaign_id in (select id from rm_campaign_list where space_id = $1)',
      [me.space_id],
    )
    await product.database.pool.query(
      `insert into app.campaign_spend (campaign_id, day, billed, overdelivered)
       select l.id, ((now() at time zone 'UTC') + make_interval(secs => l.timezone_offset_seconds))::date - 1, 25000000, 0
       from rm_campaign_list l where l.id = $1`,
      [rows[0]?.id],
    )
    const credit = (amount: number) => owner.call('POST', `/v1/space/${me.space_id}/credit`, { amount, comment: 'test' })
    const mails = async () =>
      (await outboxOf(product.dataDir)).filter(
        (mail) => recipientOf(mail) === 'ada@nile.example' && /is left|used up/.test(mail.subject ?? ''),
      )
    const subjects = async () => (await mails()).map(({ subject }) => subject)
    const { data: balance } = await owner.call<{ available: number }>('GET', `/v1/space/balance/${me.space_id}`)
    expect((await credit(200 - balance.available)).code).toBe(0)
    await delay(1500)
    expect(await subjects()).toEqual([])
    await credit(-140)
    await eventually(subjects, (all) => all.includes('Placard: $60.00 is left: less than 3 days'))
    expect((await mails())[0]?.text).toContain('Lasts: 2 days')
    await credit(-100)
    const now = await eventually(subjects, (all) => all.includes('Placard: Your balance is used up'))
    expect(now).toHaveLength(2)
    await credit(100)
    await delay(1500)
    expect(await subjects()).toHaveLength(2)
    expect((await ada.call('PUT', '/v1/user/me', { notifications: { balance: false } })).code).toBe(0)
    await credit(-1000)
    await delay(2000)
    expect(await subjects()).toHaveLength(2)
  })
})
