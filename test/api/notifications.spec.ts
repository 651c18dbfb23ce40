import { createFollowed } from '#platform/notifications/followed'
import { ERASERS } from '#api/areas/index'
import type { Wired } from '#api/areas/services'
import type { Notice, Notify } from '#commands/notifications/notify'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digests, overdueInvoices } from '#api/areas/notifications/policies'
import { queueMail } from '#platform/mail/mail-queue'
import { createNotifications } from '#platform/notifications/notifications'
import { notify, MOST_NOTIFICATIONS, type NotifyKit } from '#platform/notifications/notify'
import { startNotifications, type FollowKit } from '#api/areas/notifications/follow-events'
import { erasePerson } from '#platform/identity/erasure'
import type { Notification } from '#contract/notifications'
import type { NotificationKind } from '#domain/notifications/notification'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely } from '#platform/database/pool'
import { retryJobs } from '#platform/jobs/job-store'
import { derivedId, newId } from '#platform/ids'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { listen } from '../support/event-stream.ts'
import { outboxOf, recipientOf } from '../support/mails.ts'
import { eventually, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Page = { readonly total_size: number; readonly unread: number; readonly data: readonly Notification[] }
type Choices = { readonly choices: readonly { readonly kind: string; readonly app: boolean; readonly mail: string }[] }
type Me = { readonly id: string; readonly space_id: string }

describe('notifications', () => {
  let product: TestProduct
  let ada: Session
  let bola: Session
  let owner: Session
  let moderator: Session
  let me: Me
  let delivery: Awaited<ReturnType<typeof deliveryIn>>
  beforeAll(async () => {
    product = await startTestProduct({ ...DELIVERED, LOG_LEVEL: 'silent' })
    ;[ada, bola, owner, moderator] = (await Promise.all(
      ['ada@nile.example', 'bola@lagos.example', 'owner@dsp.example', 'moderator@dsp.example'].map((one) => product.as(one)),
    )) as [Session, Session, Session, Session]
    me = (await ada.call<Me>('GET', '/v1/user/me')).data
    delivery = await deliveryIn(product)
  })
  afterAll(() => product.stop())

  const listed = async (session: Session, query = '') => (await session.call<Page>('GET', `/v1/notifications${query}`)).data
  const about = (id: string, kind: NotificationKind, session = ada) =>
    eventually(
      async () => (await listed(session, `?kind=${kind}`)).data.find(({ data }) => data['id'] === id),
      (found) => found !== undefined,
    )
  const mailsTo = async (address: string, text: string) =>
    (await outboxOf(product.dataDir)).filter(
      (mail) => recipientOf(mail) === address && `${mail.subject ?? ''} ${mail.text ?? ''}`.includes(text),
    )
  const submitted = async (name: string): Promise<{ id: string; moderation_start_at: string }> => {
    const { data } = await ada.call('POST', '/v1/campaign/saveAndPublish', await publishable(product.base, ada, { name }))
    const { moderation_start_at } = (await ada.call('GET', `/v1/campaign/${data.id}`)).data
    return { id: data.id, moderation_start_at }
  }
  const reject = async (name: string, comment: string): Promise<string> => {
    const { id, moderation_start_at } = await submitted(name)
    const { code } = await moderator.call('POST', '/v1/whitelabel/admin/campaign/reject', {
      campaign_id: id,
      moderation_start_at,
      comment,
    })
    expect(code).toBe(0)
    return id
  }
  /** The parts of the product that notifications need, on its database. */
  const kitOf = (changes: Partial<FollowKit> = {}): Wired & FollowKit => {
    const now = changes.now ?? (() => new Date().toISOString())
    const brand = { whiteLabels: { brandOf: () => ({ zone: 'UTC' }) } } as unknown as Pick<NotifyKit, 'whiteLabels'>
    return {
      db: createKysely(product.database.pool),
      derivedId,
      now,
      notify: (tx: Parameters<Notify>[0], notice: Notice) => notify(tx, { ...brand, derivedId, now }, notice),
      queueMail,
      followed: createFollowed(createKysely(product.database.pool)),
      accounts: { opened: async () => ({ name: 'Nile', whitelabel_id: 'dsp', currency: 'USD' }) },
      caughtUp: async () => undefined,
      logger: { error: () => undefined },
      ...changes,
    } as unknown as Wired & FollowKit
  }
  const noticeOf = (cause: string, more: Partial<Notice> = {}): Notice => ({
    kind: 'audience-failed',
    cause,
    whitelabelId: 'dsp',
    spaceId: me.space_id,
    at: new Date().toISOString(),
    data: { id: 'a', name: `Of ${cause}` },
    ...more,
  })
  const send = (notice: Notice, kit = kitOf()) => kit.db.transaction().execute((tx) => kit.notify(tx, notice))

  // covers FP-75
  it('notifications report a rejected campaign with the reason and its address, in the application and by mail, once', async () => {
    const name = `Rejected ${newId()}`
    const id = await reject(name, 'Tell the price in the ad.')
    const found = await about(id, 'campaign-rejected')
    expect(found).toMatchObject({
      read: false,
      path: `/campaign/edit/${id}`,
      data: { id, name, comment: 'Tell the price in the ad.' },
    })
    const [mail, ...others] = await eventually(
      () => mailsTo('ada@nile.example', name),
      (mails) => mails.length > 0,
    )
    expect(others).toEqual([])
    expect(mail?.subject).toBe(`Placard: Campaign “${name}” was rejected`)
    expect(mail?.text).toContain('Reason: Tell the price in the ad.')
    expect(mail?.text).toContain(`/campaign/edit/${id}`)
    // Users of other accounts are not notified.
    expect((await listed(bola)).data.filter(({ data }) => data['id'] === id)).toEqual([])
    expect((await outboxOf(product.dataDir)).filter((one) => one.text?.includes(name)).map(recipientOf)).toEqual([
      'ada@nile.example',
    ])
  })

  it('notifications are in the language of their reader', async () => {
    await ada.call('PUT', '/v1/user/me', { language_key: 2 })
    const name = `Кампания ${newId()}`
    await reject(name, 'Укажите цену.')
    const [mail] = await eventually(
      () => mailsTo('ada@nile.example', name),
      (mails) => mails.length > 0,
    )
    await ada.call('PUT', '/v1/user/me', { language_key: 1 })
    expect(mail?.subject).toBe(`Placard: Кампания «${name}» отклонена`)
    expect(mail?.text).toContain('Причина: Укажите цену.')
  })

  it('notifications report an approval, a spent total budget, and a balance that is used up, once an hour for all campaigns', async () => {
    const approved = await delivery.running({ budget: 50 })
    expect(await about(approved, 'campaign-approved')).toBeDefined()
    const ended = await delivery.running({ budget: 12, budget_type_key: 1 })
    await delivery.send(newId(), [{ hour: hour(), campaign_id: ended, impressions: 100, spent: 20 }])
    expect((await about(ended, 'campaign-ended'))?.data['reason']).toBe('budget')
    const { available } = (await owner.call<{ available: number }>('GET', `/v1/space/balance/${me.space_id}`)).data
    const credit = (amount: number) => owner.call('POST', `/v1/space/${me.space_id}/credit`, { amount, comment: 'test' })
    await credit(-available)
    await delivery.status(approved, 44)
    const stopped = () => listed(ada, '?kind=campaign-stopped')
    await eventually(stopped, ({ total_size }) => total_size > 0)
    await eventually(
      () => listed(ada, '?kind=balance-low'),
      ({ total_size }) => total_size > 0,
    )
    const hours = new Set((await stopped()).data.map(({ at }) => at.slice(0, 13)))
    expect((await stopped()).total_size).toBe(hours.size)
    await credit(available)
    await delivery.status(approved, 3)
  })

  it('notifications report a creative that exchanges disapproved, once for all of them, with its place in the form', async () => {
    const id = await delivery.running({ budget: 50 })
    const no = { status: 'disapproved', topics: [{ policyTopic: 'Alcohol' }] }
    for (const exchange of ['google', 'taboola']) {
      const { code } = await owner.call('POST', `/v1/exchange/${exchange}/decisions`, {
        decisions: [{ campaign_id: id, dealsPolicyCompliance: no, networkPolicyCompliance: no, platformPolicyCompliance: no }],
      })
      expect(code).toBe(0)
    }
    const found = await about(id, 'creative-disapproved')
    expect(found).toMatchObject({ data: { topics: 'Alcohol' }, path: expect.stringMatching(/\?tab=\w+Ads$/) })
    const { rows } = await product.database.pool.query<{ n: number; causes: number }>(
      `select count(*)::int as n, count(distinct cause)::int as causes from app.notifications
       where kind = 'creative-disapproved' and data ->> 'id' = $1 and person_id = $2`,
      [id, me.id],
    )
    expect(rows[0]?.n).toBe(rows[0]?.causes)
  })

  it('notifications report an answer in the chat once until it is read, and send no mail about one that was read at once', async () => {
    await ada.call('POST', '/v1/chat', { text: 'How do I add funds?' })
    for (const text of ['By card.', 'Or by transfer.'])
      expect((await moderator.call('POST', `/v1/chat/inbox/${me.id}`, { text })).code).toBe(0)
    expect(await listed(ada, '?kind=chat-message&unread=true')).toMatchObject({ total_size: 1 })
    await ada.call('POST', '/v1/chat/read', { number: 3 })
    expect(await listed(ada, '?kind=chat-message&unread=true')).toMatchObject({ total_size: 0 })
    const { rows } = await product.database.pool.query(
      `select id from app.mails where template = 'notification' and data ->> 'kind' = 'chat-message'`,
    )
    expect(rows).toEqual([])
    await moderator.call('POST', `/v1/chat/inbox/${me.id}`, { text: 'Anything else?' })
    expect(await listed(ada, '?kind=chat-message&unread=true')).toMatchObject({ total_size: 1 })
  })

  it('notifications report messages of a user to the staff, once until they read them, and mail nothing unless chosen', async () => {
    const bola = await product.as('bola@lagos.example')
    const { data: asker } = await bola.call<{ readonly id: string }>('GET', '/v1/user/me')
    const ofBola = async (staff: typeof owner) =>
      (await listed(staff, '?kind=chat-question')).data.filter(({ path }) => path === `/inbox?id=${asker.id}`)
    for (const text of ['Is anybody there?', 'Hello?']) expect((await bola.call('POST', '/v1/chat', { text })).code).toBe(0)
    for (const staff of [owner, moderator])
      expect(await ofBola(staff)).toMatchObject([{ read: false, data: { account: 'Lagos Foods' } }])
    expect((await listed(ada, '?kind=chat-question')).total_size).toBe(0)

    expect((await moderator.call('POST', `/v1/chat/inbox/${asker.id}/read`, { number: 2 })).code).toBe(0)
    expect(await ofBola(moderator)).toMatchObject([{ read: true }])
    expect(await ofBola(owner)).toMatchObject([{ read: false }])
    expect((await owner.call('POST', `/v1/chat/inbox/${asker.id}`, { text: 'Here we are.' })).code).toBe(0)
    expect(await ofBola(owner)).toMatchObject([{ read: true }])
    await bola.call('POST', '/v1/chat', { text: 'Thank you!' })
    expect(await ofBola(owner)).toHaveLength(2)
    const { rows } = await product.database.pool.query(
      `select id from app.mails where template = 'notification' and data ->> 'kind' = 'chat-question'`,
    )
    expect(rows).toEqual([])
  })

  // covers FP-75
  it('notifications are stored and mailed once when the same events are read by three processes at once, and again later', async () => {
    const name = `Once ${newId()}`
    const id = await reject(name, 'No.')
    await about(id, 'campaign-rejected')
    const { pool, url } = product.database
    const store = createPostgresEventStore({ pool, url })
    await pool.query(`update app.mail_cursor set position = greatest(position - 20, 0) where name = 'notifications'`)
    const stops: (() => Promise<unknown>)[] = []
    const kit = kitOf({
      store,
      stops: { add: (stop: () => Promise<unknown>) => void stops.push(stop) } as unknown as Wired['stops'],
    })
    await Promise.all([startNotifications(kit), startNotifications(kit), startNotifications(kit)])
    await delay(1500)
    await Promise.all(stops.map((stop) => stop()))
    await store.close()
    const { rows } = await pool.query<{ n: number }>(
      `select count(*)::int as n from app.notifications where data ->> 'id' = $1 and kind = 'campaign-rejected'`,
      [id],
    )
    expect(rows[0]?.n).toBe(1)
    expect(await mailsTo('ada@nile.example', name)).toHaveLength(1)
  })

  it('notifications of long ago are in the application, and are not mailed', async () => {
    const at = new Date(Date.now() - 3 * 86_400_000).toISOString()
    await send(noticeOf('long ago', { at }))
    const found = (await listed(ada, '?kind=audience-failed')).data.find(({ data }) => data['name'] === 'Of long ago')
    expect(found?.at).toBe(at)
    await delay(1500)
    expect(await mailsTo('ada@nile.example', 'Of long ago')).toEqual([])
  })

  it('notifications of money alone reach the accountant of the account, and none reach a suspended user', async () => {
    await send(noticeOf('not of money'))
    await send(noticeOf('of money', { kind: 'payment-failed', data: { amount: 5, currency: 'USD', failure: 'card_declined' } }))
    const causesOf = async (email: string) =>
      (
        await product.database.pool.query<{ cause: string }>(
          `select cause from app.notifications n join identity.people p on p.id = n.person_id
           where p.email = $1 and cause in ('of money', 'not of money', 'while suspended') order by cause`,
          [email],
        )
      ).rows.map(({ cause }) => cause)
    expect(await causesOf('clerk@nile.example')).toEqual(['of money'])
    await product.database.pool.query(`update identity.people set suspended = true where email = 'clerk@nile.example'`)
    await send(noticeOf('while suspended', { kind: 'payment-failed' }))
    await product.database.pool.query(`update identity.people set suspended = false where email = 'clerk@nile.example'`)
    expect(await causesOf('clerk@nile.example')).toEqual(['of money'])
    expect(await causesOf('ada@nile.example')).toEqual(['not of money', 'of money', 'while suspended'])
  })

  it('notifications of an invoice follow its due day, once', async () => {
    const { pool } = product.database
    const id = newId()
    const due = new Date(Date.now() - 3_600_000).toISOString()
    await pool.query(
      `insert into rm_invoices (id, space_id, whitelabel_id, currency, kind, stage, number, charge_from_date, charge_to_date, dated_at,
         due_at, total, payable, paid, credited, payments, unfinished, changed_at, state, version)
       values ($1, $2, 'dsp', 'USD', 'invoice', 'issued', 'INV-77', '2026-10-01', '2026-10-31', $3, $3, 12500000, 12500000, 2500000, 0,
         '{}', false, $3, '{}', 1)`,
      [id, me.space_id, due],
    )
    for (let round = 0; round < 2; round++) for (const { act } of await overdueInvoices(kitOf()).scan([])) await act()
    const found = (await listed(ada, '?kind=invoice-overdue')).data.filter(({ data }) => data['id'] === id)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ path: `/payments/invoice/${id}`, data: { amount: 10, currency: 'USD', number: 'INV-77' } })
    await pool.query('delete from rm_invoices where id = $1', [id])
  })

  it('notifications are asked of the other owners of the white-label when money needs a second person', async () => {
    await send(noticeOf('approval x', { kind: 'approval-asked', colleaguesOf: 'someone', data: { comment: 'Refund' } }))
    expect((await listed(owner, '?kind=approval-asked')).total_size).toBe(1)
    expect((await listed(ada, '?kind=approval-asked')).total_size).toBe(0)
  })

  describe('notifications by choice of the user', () => {
    const choose = (choices: Choices['choices']) => ada.call<Choices>('PUT', '/v1/notifications/choices', { choices })
    const kind = 'audience-failed'

    // covers FP-75
    it('notifications are neither shown nor mailed, or only the one or the other, as the user chose', async () => {
      await choose([{ kind, app: false, mail: 'never' }])
      await send(noticeOf('neither'))
      await choose([{ kind, app: true, mail: 'never' }])
      await send(noticeOf('app alone'))
      await choose([{ kind, app: false, mail: 'now' }])
      await send(noticeOf('mail alone'))
      await choose([{ kind, app: true, mail: 'now' }])
      const names = (await listed(ada, `?kind=${kind}`)).data.map(({ data }) => data['name'])
      expect(names).toContain('Of app alone')
      expect(names).not.toContain('Of neither')
      expect(names).not.toContain('Of mail alone')
      await eventually(
        () => mailsTo('ada@nile.example', 'Of mail alone'),
        (mails) => mails.length === 1,
      )
      expect(await mailsTo('ada@nile.example', 'Of neither')).toEqual([])
      expect(await mailsTo('ada@nile.example', 'Of app alone')).toEqual([])
    })

    it('notifications of the digest come once a day in one mail, without what was read meanwhile', async () => {
      await choose([{ kind, app: true, mail: 'daily' }])
      for (const cause of ['first of the day', 'second of the day', 'read of the day']) await send(noticeOf(cause))
      const seen = (await listed(ada, `?kind=${kind}`)).data.find(({ data }) => data['name'] === 'Of read of the day')
      await ada.call('POST', '/v1/notifications/read', { ids: [seen?.id] })
      const digest = async (now: string) => {
        const kit = kitOf({ now: () => now })
        const acts = await digests(kit, createNotifications(kit.db)).scan([])
        await Promise.all([...acts, ...acts].map(({ act }) => act()))
      }
      await digest(new Date().toISOString())
      expect(await mailsTo('ada@nile.example', 'of the day')).toEqual([])
      await digest(new Date(Date.now() + 86_400_000).toISOString())
      const [mail, ...others] = await eventually(
        () => mailsTo('ada@nile.example', 'of the day'),
        (mails) => mails.length > 0,
      )
      await delay(1000)
      expect(others).toEqual([])
      expect(mail?.subject).toBe('Placard: Notifications of the day: 2')
      expect(mail?.text).toContain('Of second of the day')
      expect(mail?.text).not.toContain('Of read of the day')
      // Each line leads to its page.
      expect(mail?.text).toMatch(/Of second of the day.*\nhttps?:\/\/[^\n]*\/audience\/details\/a\n/)
      expect(mail?.html).toMatch(/<a href="https?:\/\/[^"]*\/audience\/details\/a"[^>]*>[^<]*Of second of the day/)
      await choose([{ kind, app: true, mail: 'now' }])
    })

    it('choices of notifications leave the digest that waits when the user wants no more mails', async () => {
      await choose([{ kind, app: true, mail: 'daily' }])
      await send(noticeOf('withdrawn'))
      await choose([{ kind, app: true, mail: 'never' }])
      const { rows } = await product.database.pool.query(`select digest_at from app.notifications where cause = 'withdrawn'`)
      expect(rows[0]).toEqual({ digest_at: null })
      await choose([{ kind, app: true, mail: 'now' }])
    })

    it('notifications follow the switches of the profile', async () => {
      const mailOf = async (one: string) =>
        (await ada.call<Choices>('GET', '/v1/notifications/choices')).data.choices.find((choice) => choice.kind === one)?.mail
      await ada.call('PUT', '/v1/user/me', { notifications: { moderation: false } })
      expect([await mailOf('campaign-approved'), await mailOf('campaign-rejected')]).toEqual(['never', 'never'])
      const name = `Silent ${newId()}`
      await about(await reject(name, 'No.'), 'campaign-rejected')
      await delay(1500)
      expect(await mailsTo('ada@nile.example', name)).toEqual([])
      await ada.call('PUT', '/v1/user/me', { notifications: { moderation: true } })
      expect(await mailOf('campaign-rejected')).toBe('now')
    })

    it('choices of notifications refuse a kind that the user never gets', async () => {
      const clerk = await product.as('clerk@nile.example')
      const { data } = await clerk.call<Choices>('GET', '/v1/notifications/choices')
      expect(data.choices.map((choice) => choice.kind)).not.toContain('campaign-approved')
      const refused = await clerk.call('PUT', '/v1/notifications/choices', {
        choices: [{ kind: 'campaign-approved', app: true, mail: 'now' }],
      })
      expect(refused).toMatchObject({ status: 400, code: 2 })
    })
  })

  it('notifications beyond twenty mails in an hour wait for the digest', async () => {
    const clerk = await product.as('clerk@nile.example')
    const { id } = (await clerk.call<Me>('GET', '/v1/user/me')).data
    for (let n = 0; n < 25; n++)
      await send(noticeOf(`many ${n}`, { kind: 'payment-failed', data: { amount: n, currency: 'USD' } }))
    const { rows } = await product.database.pool.query<{ mailed: number; waits: number }>(
      `select count(mailed_at)::int as mailed, count(digest_at)::int as waits from app.notifications
       where person_id = $1 and created_at > now() - interval '1 hour'`,
      [id],
    )
    expect(rows[0]).toEqual({ mailed: 20, waits: expect.any(Number) })
    expect(rows[0]?.waits).toBeGreaterThanOrEqual(5)
  })

  // covers FP-75
  it('notifications are marked as read one by one or all at once, never those of others', async () => {
    await send(noticeOf('to be read'))
    const before = await listed(ada, '?unread=true')
    const [first] = before.data
    expect(before.unread).toBe(before.total_size)
    expect((await bola.call('POST', '/v1/notifications/read', { ids: [first?.id] })).code).toBe(0)
    expect((await listed(ada)).unread).toBe(before.unread)
    const one = await ada.call<{ unread: number }>('POST', '/v1/notifications/read', { ids: [first?.id] })
    expect(one.data.unread).toBe(before.unread - 1)
    const all = await ada.call<{ unread: number }>('POST', '/v1/notifications/read', { all: true })
    expect(all.data.unread).toBe(0)
    expect(await listed(ada, '?unread=true')).toMatchObject({ total_size: 0, unread: 0 })
    expect((await ada.call('POST', '/v1/notifications/read', { ids: ['1; drop table'] })).status).toBe(400)
  })

  // covers FP-75
  it('notifications are announced on the stream of their reader alone, an accountant included', async () => {
    const clerk = await product.as('clerk@nile.example')
    const [adas, clerks, bolas] = await Promise.all([ada, clerk, bola].map((one) => listen(product.base, one)))
    await delay(2500)
    const announced = (stream: typeof adas) => stream?.messages.filter(({ event }) => event === 'notifications').length ?? 0
    const before = [announced(adas), announced(clerks), announced(bolas)]
    await send(noticeOf('announced', { kind: 'payment-failed', data: { amount: 1, currency: 'USD' } }))
    await eventually(
      async () => [announced(adas), announced(clerks)],
      ([a = 0, c = 0]) => a > (before[0] ?? 0) && c > (before[1] ?? 0),
    )
    expect(announced(bolas)).toBe(before[2])
    for (const stream of [adas, clerks, bolas]) stream?.end()
    await Promise.all([adas, clerks, bolas].map(async (stream) => stream?.over))
  })

  it('notifications are kept up to a number for each person, and removed with the person', async () => {
    const clerk = (await (await product.as('clerk@nile.example')).call<Me>('GET', '/v1/user/me')).data
    const { pool } = product.database
    await pool.query(
      `insert into app.notifications (person_id, whitelabel_id, space_id, kind, cause, data, at, created_at, in_app)
       select $1, 'dsp', $2, 'payment-failed', 'filler ' || n, '{}', now(), now(), true from generate_series(1, $3::int) n`,
      [clerk.id, me.space_id, MOST_NOTIFICATIONS],
    )
    await send(noticeOf('the newest', { kind: 'payment-failed' }))
    const count = async () =>
      (
        await pool.query<{ n: number; newest: boolean }>(
          `select count(*)::int as n, coalesce(bool_or(cause = 'the newest'), false) as newest from app.notifications where person_id = $1`,
          [clerk.id],
        )
      ).rows[0]
    expect(await count()).toEqual({ n: MOST_NOTIFICATIONS, newest: true })
    await erasePerson(createKysely(pool), clerk.id, ERASERS)
    expect(await count()).toEqual({ n: 0, newest: false })
  })

  // Last: a user gets twenty mails an hour of their own.
  it('notifications go on after a comment whose thousandth letter is half of an emoji, which is cut before it', async () => {
    const id = await reject(`Emoji ${newId()}`, `${'x'.repeat(999)}\u{1F600}`)
    expect((await about(id, 'campaign-rejected'))?.data['comment']).toBe('x'.repeat(999))
    const next = await reject(`After ${newId()}`, 'Plain.')
    expect((await about(next, 'campaign-rejected'))?.data['comment']).toBe('Plain.')
  })

  it('notifications of others go on while one event can never be reported, which waits and is reported once it can be', async () => {
    const { pool } = product.database
    await pool.query(`
      create function app.refuse_poison() returns trigger language plpgsql as $$
        begin if new.data::text like '%poison%' then raise exception using errcode = '22P05'; end if; return new; end $$;
      create trigger poison before insert on app.notifications for each row execute function app.refuse_poison()`)
    const bad = await reject(`Bad ${newId()}`, 'poison')
    const next = await reject(`Next ${newId()}`, 'Plain.')
    expect((await about(next, 'campaign-rejected'))?.data['comment']).toBe('Plain.')
    const given = await eventually(
      () => pool.query(`select key from app.jobs where kind = 'sweep notifications' and dead_at is not null`),
      ({ rowCount }) => rowCount === 1,
    )
    const ready = await (await fetch(`${product.base}/health/ready`)).json()
    expect(ready).toMatchObject({ status: 'degraded', waiting: ['sweep notifications'] })
    await pool.query('drop trigger poison on app.notifications')
    expect(await retryJobs(createKysely(pool), { kind: 'sweep notifications', key: given.rows[0]?.key ?? '' })).toBe(1)
    expect((await about(bad, 'campaign-rejected'))?.data['comment']).toBe('poison')
    await eventually(
      () => pool.query(`select from app.jobs where kind = 'sweep notifications'`),
      ({ rowCount }) => rowCount === 0,
    )
  })
})
