import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ScheduledChangeOut } from '#contract/schedules'
import { KEPT_DAYS, MOST_OF_ACCOUNT, MOST_OF_CAMPAIGN } from '#domain/schedule/scheduled-change'
import { newId } from '#platform/ids'
import { createKysely } from '#platform/database/pool'
import { createScheduledChanges } from '#platform/schedule/scheduled-changes'
import { DELIVERED, deliveryIn } from '../support/delivery.ts'
import { outboxOf, recipientOf } from '../support/mails.ts'
import { eventually, signIn, startTestProduct, type Answer, type Session, type TestProduct } from '../support/product.ts'

type Made = { readonly ids: readonly string[]; readonly position: string; readonly errors?: unknown }
type Listed = { readonly total_size: number; readonly data: readonly ScheduledChangeOut[] }
type Shown = { readonly name: string; readonly budget_type_key: number; readonly timezone_offset_seconds: number }
type Revision = { readonly source: string; readonly author: string; readonly revision: number }

let product: TestProduct
let ada: Session
let bola: Session
let space = ''
let running: (fields?: Record<string, unknown>) => Promise<string>

beforeAll(async () => {
  product = await startTestProduct(DELIVERED)
  ;({ ada, space, running } = await deliveryIn(product))
  bola = await product.as('bola@lagos.example')
})
afterAll(() => product.stop())

const ahead = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const budgetOf = (budget: number, minutes = 60) => ({ act: 'save', fields: { budget }, due_at: ahead(minutes) })
const schedule = (id: string, changes: readonly unknown[], more: object = {}, by = ada, query = ''): Promise<Answer<Made>> =>
  by.call<Made>('POST', `/v1/campaign/${id}/schedule${query}`, { changes, ...more })
const listed = async (query: string, by = ada) => (await by.call<Listed>('GET', `/v1/schedule?${query}`)).data
const of = (id: string, state = 'waiting') => listed(`campaign_id=${id}&state=${state}`)
const query = async <T extends object>(text: string, values: readonly unknown[] = []): Promise<readonly T[]> =>
  (await product.database.pool.query<T>(text, [...values])).rows
/** Moves the time of changes into the past, as if it had come. */
const due = (ids: readonly string[], seconds = 1) =>
  query(`update app.scheduled_changes set due_at = now() - make_interval(secs => $2) where id = any($1::text[])`, [ids, seconds])
const ended = (id: string, count = 1) =>
  eventually(
    () => of(id, 'ended'),
    ({ data }) => data.length === count,
  )
const campaign = async (id: string) => (await ada.call('GET', `/v1/campaign/${id}`)).data

async function noticesOf(id: string, kind: string) {
  type Notices = { readonly data: readonly { readonly kind: string; readonly data: { readonly id: string } }[] }
  const { data } = await ada.call<Notices>('GET', '/v1/notifications?page_size=50')
  return data.data.filter((notice) => notice.kind === kind && notice.data.id === id)
}

// covers FP-100
it('a budget is raised at its time and put back at the second one, once each, in the name of who scheduled it', async () => {
  const id = await running({ budget: 50 })
  const { code, data } = await schedule(id, [budgetOf(120), budgetOf(80, 120)], { note: ' Weekend ' })
  expect(code).toBe(0)
  const waiting = await of(id)
  expect(waiting.data).toMatchObject([
    { id: data.ids[0], campaign_id: id, act: 'save', fields: { budget: 120 }, note: 'Weekend', state: 'waiting', version: 1 },
    { id: data.ids[1], fields: { budget: 80 }, revision: null, code: null, faults: [] },
  ])
  expect(waiting.data[0]?.group).toBe(waiting.data[1]?.group)
  expect(waiting.data[0]?.by).toBe('Ada Hassan')

  await due(data.ids.slice(0, 1))
  const [first] = (await ended(id)).data
  expect(first).toMatchObject({ id: data.ids[0], state: 'done' })
  expect(await campaign(id)).toMatchObject({ budget: 120, revision: first?.revision })
  await due(data.ids.slice(1))
  await ended(id, 2)
  const after = await campaign(id)
  expect(after.budget).toBe(80)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect((await campaign(id)).revision).toBe(after.revision)

  const owner = await product.as('owner@dsp.example')
  const log = await eventually(
    () =>
      owner.call<{ readonly data: readonly Revision[] }>('GET', `/v1/campaign/revision/snapshot/${id}?page-num=1&page-size=50`),
    (answer) => answer.data.data.some(({ revision }) => revision === after.revision),
  )
  expect(log.data.data.filter(({ source }) => source === 'schedule').map(({ author }) => author)).toEqual([
    'Ada Hassan',
    'Ada Hassan',
  ])
  await eventually(
    () => noticesOf(id, 'schedule-done'),
    (notices) => notices.length === 2,
  )
})

// covers FP-100
it('a waiting change is edited and cancelled, and never carried out as it was before', async () => {
  const id = await running({ budget: 50 })
  const { data } = await schedule(id, [budgetOf(61), budgetOf(62, 90)])
  const [first = '', second = ''] = data.ids
  const edit = (version: number, budget: number) =>
    ada.call('PUT', `/v1/schedule/${first}`, { ...budgetOf(budget), version, note: 'later' })
  expect((await edit(1, 63)).code).toBe(0)
  expect((await edit(1, 64)).code).toBe(140)
  expect((await ada.call('DELETE', `/v1/schedule/${second}`)).code).toBe(0)
  expect((await ada.call('DELETE', `/v1/schedule/${second}`)).code).toBe(134)
  expect((await of(id)).data).toMatchObject([{ id: first, fields: { budget: 63 }, version: 2, note: 'later' }])
  await due([first, second])
  await ended(id, 2)
  expect((await campaign(id)).budget).toBe(63)
  expect((await edit(2, 65)).code).toBe(134)
})

it('a campaign is paused and run at its time', async () => {
  const id = await running()
  const { data } = await schedule(id, [
    { act: 'pause', due_at: ahead(5) },
    { act: 'run', due_at: ahead(10) },
  ])
  await due(data.ids.slice(0, 1))
  await ended(id)
  expect((await campaign(id)).status_key).toBe(41)
  await due(data.ids.slice(1))
  expect((await ended(id, 2)).data.map(({ state }) => state)).toEqual(['done', 'done'])
  expect((await campaign(id)).status_key).not.toBe(41)
})

// covers FP-100
it('a change that the campaign would refuse is refused at once, and a dry run stores nothing', async () => {
  const id = await running({ budget: 50 })
  expect((await schedule(id, [budgetOf(0.02)])).code).toBe(1302)
  expect(await schedule(id, [{ act: 'save', fields: { product_url: 'https://x.example' }, due_at: ahead(5) }])).toMatchObject({
    status: 400,
    code: 2,
  })
  expect((await schedule(id, [{ act: 'save', fields: {}, due_at: ahead(5) }])).code).toBe(2)
  expect((await schedule(id, [budgetOf(60, 0)])).code).toBe(2)
  expect((await schedule(id, [budgetOf(60, 367 * 1440)])).code).toBe(2)
  expect((await schedule(id, [budgetOf(60, 20), budgetOf(61, 10)])).code).toBe(2)
  const dry = await schedule(id, [budgetOf(60)], {}, ada, '?dry_run=true')
  expect(dry).toMatchObject({ code: 0, data: { ids: [] } })
  expect((await of(id)).total_size).toBe(0)
})

// covers FP-100
it('a change that became impossible is refused when it is due, with its code, and the person is notified and mailed', async () => {
  const id = await running({ budget: 50 })
  const { data } = await schedule(id, [{ act: 'pause', due_at: ahead(5) }, budgetOf(70)])
  expect((await ada.call('POST', '/v1/campaign/archive/toggle', id)).code).toBe(0)
  await due(data.ids)
  const outcomes = (await ended(id, 2)).data
  expect(outcomes.map(({ state, code }) => [state, code])).toEqual([
    ['refused', 134],
    ['refused', 134],
  ])
  expect(await noticesOf(id, 'schedule-refused')).toHaveLength(2)
  const mails = await eventually(
    async () => (await outboxOf(product.dataDir)).filter((mail) => mail.subject?.includes('was not carried out') === true),
    (found) => found.length >= 2,
  )
  expect(mails.map(recipientOf)).toContain('ada@nile.example')
})

// covers FP-100
it('a change that could not be carried out for a day is refused as too late', async () => {
  const id = await running({ budget: 50 })
  const { data } = await schedule(id, [budgetOf(70)])
  await due(data.ids, 24 * 3600 + 5)
  const [late] = (await ended(id)).data
  expect(late).toMatchObject({ state: 'refused', code: 2, faults: [{ path: 'due_at', key: 'scheduleTooLate' }] })
  expect((await campaign(id)).budget).toBe(50)
})

it('a change of another account is not found', async () => {
  const id = await running()
  const { data } = await schedule(id, [budgetOf(70)])
  const [one = ''] = data.ids
  expect((await schedule(id, [budgetOf(71)], {}, bola)).code).toBe(130)
  expect((await bola.call('GET', `/v1/schedule?campaign_id=${id}`)).code).toBe(130)
  expect((await bola.call('GET', `/v1/schedule?space_id=${space}`)).code).toBe(1420)
  expect((await bola.call('DELETE', `/v1/schedule/${one}`)).code).toBe(131)
  expect((await bola.call('PUT', `/v1/schedule/${one}`, { ...budgetOf(71), version: 1 })).code).toBe(131)
  expect((await listed('', bola)).data).toEqual([])
  expect((await listed('')).data.map((change) => change.id)).toContain(one)
})

it('the list of an account has the currency and the zone of its campaigns; staff who act in none see all of their white-label', async () => {
  const id = await running({ budget: 50 })
  const { data } = await schedule(id, [budgetOf(70)])
  const [one = ''] = data.ids
  const shownTo = async (by: Session) => (await listed('page_size=100', by)).data.find((change) => change.id === one)
  const shown = await eventually(
    () => shownTo(ada),
    (change) => change?.currency !== null,
  )
  const stored = (await ada.call<Shown>('GET', `/v1/campaign/${id}`)).data
  expect(shown).toMatchObject({
    campaign_name: stored.name,
    currency: 'USD',
    budget_type_key: stored.budget_type_key,
    timezone_offset_seconds: stored.timezone_offset_seconds,
  })
  expect(shown?.account_name).toBe((await ada.call<{ readonly space_name: string }>('GET', '/v1/user/me')).data.space_name)
  expect((await shownTo(await product.as('auditor@dsp.example')))?.account_name).toBe(shown?.account_name)
  expect(await shownTo(bola)).toBeUndefined()
  const { data: first, total_size: total } = await listed('page_size=1')
  expect(first).toHaveLength(1)
  expect(total).toBeGreaterThan(1)
})

it.each([
  ['admin@dsp.example', 0],
  ['owner@dsp.example', 0],
  ['moderator@dsp.example', 3],
  ['auditor@dsp.example', 3],
  ['accountant@dsp.example', 3],
  ['clerk@nile.example', 3],
  ['bola@lagos.example', 131],
] as const)('%s edits and cancels a change of the account with code %i', async (email, code) => {
  const id = await running({ budget: 50 })
  const by = await product.as(email)
  const { data } = await schedule(id, [budgetOf(70)])
  const [one = ''] = data.ids
  expect((await by.call('PUT', `/v1/schedule/${one}`, { ...budgetOf(71), version: 1 })).code).toBe(code)
  expect((await of(id)).data[0]?.fields?.budget).toBe(code === 0 ? 71 : 70)
  // From then on it belongs to who edited it.
  expect((await of(id)).data[0]?.by === 'Ada Hassan').toBe(code !== 0)
  expect((await by.call('DELETE', `/v1/schedule/${one}`)).code).toBe(code)
  expect((await of(id)).total_size).toBe(code === 0 ? 0 : 1)
})

// covers FP-100
it('an account has a bounded number of waiting changes, however many are scheduled at once', async () => {
  const id = await running()
  const codes = await Promise.all(Array.from({ length: 24 }, (_, n) => schedule(id, [budgetOf(60 + n)])))
  expect(codes.filter(({ code }) => code === 0)).toHaveLength(MOST_OF_CAMPAIGN)
  expect(codes.filter(({ code }) => code === 2)).toHaveLength(24 - MOST_OF_CAMPAIGN)
  const other = await running()
  await query(
    `insert into app.scheduled_changes (id, person_id, space_id, whitelabel_id, campaign_id, act, due_at, note, state, version, created_at)
     select 'filled-' || n, (select id from identity.people where email = 'ada@nile.example'), $1, 'dsp', 'other-' || n,
       '{"kind": "pause"}', now() + interval '1 day', '', 'waiting', 1, now()
     from generate_series(1, $2 - (select count(*)::int from app.scheduled_changes where space_id = $1 and state = 'waiting')) n`,
    [space, MOST_OF_ACCOUNT],
  )
  expect((await schedule(other, [budgetOf(60)])).code).toBe(2)
  await query(`delete from app.scheduled_changes where id like 'filled-%'`)
  expect((await schedule(other, [budgetOf(60)])).code).toBe(0)
})

// covers FP-100
it('changes that ended are listed for 90 days', async () => {
  const id = await running()
  const { data } = await schedule(id, [budgetOf(60), budgetOf(61, 90)])
  for (const one of data.ids) await ada.call('DELETE', `/v1/schedule/${one}`)
  await query(`update app.scheduled_changes set ended_at = now() - make_interval(days => $2, mins => 1) where id = $1`, [
    data.ids[0],
    KEPT_DAYS,
  ])
  const now = () => new Date().toISOString()
  await createScheduledChanges(createKysely(product.database.pool), now).removeOld()
  expect((await of(id, 'ended')).data.map((change) => change.id)).toEqual([data.ids[1]])
})

it('a repeat with the same key schedules once', async () => {
  const id = await running()
  const key = { 'Idempotency-Key': newId() }
  const body = { changes: [budgetOf(60)] }
  const answers = [1, 2].map(() => ada.call<Made>('POST', `/v1/campaign/${id}/schedule`, body, key))
  const [first, second] = await Promise.all(answers)
  expect(first?.data.ids).toEqual(second?.data.ids)
  expect((await of(id)).total_size).toBe(1)
})

// covers FP-100
it('a person who lost the right, or may not sign in any more, changes nothing', async () => {
  const id = await running({ budget: 50 })
  const { data } = await schedule(id, [budgetOf(70), budgetOf(71, 90)])
  const [first = '', second = ''] = data.ids
  await query(`update identity.people set roles = '{USER_VIEWER}' where email = 'ada@nile.example'`)
  await due([first])
  const outcomes = async (count: number) =>
    eventually(
      () =>
        query<{ id: string; state: string }>(
          `select id, state from app.scheduled_changes where ended_at is not null and campaign_id = $1`,
          [id],
        ),
      (rows) => rows.length === count,
    )
  expect(await outcomes(1)).toEqual([{ id: first, state: 'refused' }])
  await query(`update identity.people set roles = '{USER_OWNER}', deactivated = true where email = 'ada@nile.example'`)
  await due([second])
  expect(await outcomes(2)).toContainEqual({ id: second, state: 'refused' })
  await query(`update identity.people set deactivated = false where email = 'ada@nile.example'`)
  // A new session: the changes of her access ended the one before.
  ada = await signIn(product.base, 'ada@nile.example')
  expect((await campaign(id)).budget).toBe(50)
  const codes = (await of(id, 'ended')).data.map(({ code }) => code)
  expect(codes).toEqual([3, 3])
})
