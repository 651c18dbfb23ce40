import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSavedReports, MOST_SAVED, type SavedRow } from '#platform/reports/saved-reports'
import type { SavedReport, SavedReportBody } from '#contract/saved-reports'
import { newId } from '#platform/ids'
import { createKysely } from '#platform/database/pool'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { linkIn, mailTo, outboxOf, recipientOf } from '../support/mails.ts'
import { eventually, sessionOf, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

let product: TestProduct
let ada: Session
let bola: Session
let campaign = ''

beforeAll(async () => {
  product = await startTestProduct(DELIVERED)
  const delivery = await deliveryIn(product)
  ada = delivery.ada
  bola = await product.as('bola@lagos.example')
  campaign = await delivery.running({ budget: 100 })
  await delivery.send(newId(), [{ hour: hour(), campaign_id: campaign, impressions: 1000, clicks: 10, spent: 3, country: 'NG' }])
})
afterAll(() => product.stop())

const body = (more: Partial<SavedReportBody> = {}): SavedReportBody => ({
  name: 'Countries of the week',
  report: {
    grouping: 'country',
    range: 'last7',
    included_metrics: ['impressions', 'spent'],
    order_field: 'name',
    order_asc: true,
  },
  schedule: 'daily',
  format: 'csv',
  ...more,
})
const save = (more: Partial<SavedReportBody> = {}, by = ada) =>
  by.call<{ readonly id: string }>('POST', '/v1/reports/saved', body(more))
const list = async (by = ada) => (await by.call<readonly SavedReport[]>('GET', '/v1/reports/saved')).data
const query = async <T extends object>(text: string, values: readonly unknown[] = []): Promise<readonly T[]> =>
  (await product.database.pool.query<T>(text, [...values])).rows
const toAda = async () =>
  (await outboxOf(product.dataDir)).filter(
    (mail) => recipientOf(mail) === 'ada@nile.example' && mail.subject?.includes('Countries of the week'),
  )

it('a report is saved, listed, changed and removed only by the user who saved it', async () => {
  const { data: saved } = await save({ schedule: 'weekly', schedule_day: 1 })
  const [found] = await list()
  expect(found).toMatchObject({ id: saved.id, ...body({ schedule: 'weekly', schedule_day: 1 }) })
  expect(new Date(found?.next_at ?? '')).toSatisfy((due: Date) => due.getUTCDay() === 1 && due.getUTCHours() === 8)
  expect(await list(bola)).toEqual([])
  for (const call of ['PUT', 'DELETE'] as const) {
    const refused = await bola.call(call, `/v1/reports/saved/${saved.id}`, call === 'PUT' ? body() : undefined)
    expect(refused).toMatchObject({ status: 404, code: 131 })
  }
  const changed = body({ name: 'Changed', schedule: 'none', report: { grouping: 'day', id: campaign, range: 'thisMonth' } })
  expect((await ada.call('PUT', `/v1/reports/saved/${saved.id}`, changed)).code).toBe(0)
  expect(await list()).toMatchObject([{ id: saved.id, name: 'Changed', schedule: 'none', schedule_day: null, next_at: null }])
  expect((await ada.call('DELETE', `/v1/reports/saved/${saved.id}`)).code).toBe(0)
  expect(await list()).toEqual([])
})

it('an owner of the account sees and ends the reports of its people, and nobody those of the staff or of other accounts', async () => {
  const { home_space_id: space } = (await ada.call<{ home_space_id: string }>('GET', '/v1/user/me')).data
  const clerk = await product.as('clerk@nile.example')
  const { id: clerkId } = (await clerk.call<{ id: string }>('GET', '/v1/user/me')).data
  const rights = `/v1/space/${space}/team/${clerkId}/rights`
  expect((await ada.call('POST', rights, { right: 'campaign.read', until: null })).code).toBe(0)
  const { data: saved } = await eventually(
    () => save({ name: 'By the clerk' }, clerk),
    ({ code }) => code === 0,
  )
  const { data: owners } = await save({ name: 'By the owner' })
  const found = async (by: Session) => (await list(by)).filter(({ id }) => id === saved.id || id === owners.id)
  expect((await found(ada)).map(({ name, owner }) => ({ name, owner }))).toEqual([
    { name: 'By the clerk', owner: 'Karim Saleh' },
    { name: 'By the owner', owner: null },
  ])
  expect((await found(clerk)).map(({ name }) => name)).toEqual(['By the clerk'])
  const remove = (id: string, by: Session) => by.call('DELETE', `/v1/reports/saved/${id}`)
  expect((await remove(owners.id, clerk)).code).toBe(131)
  expect((await remove(saved.id, bola)).code).toBe(131)
  // An owner may end the report, but not change it.
  expect((await ada.call('PUT', `/v1/reports/saved/${saved.id}`, body())).code).toBe(131)
  expect((await remove(saved.id, ada)).code).toBe(0)
  expect(await found(clerk)).toEqual([])

  const staff = await product.as('owner@dsp.example')
  const { data: tokens } = await staff.call<{ access_token: string }>('POST', `/v1/user/account/switch/${space}`)
  const switched = sessionOf(product.base, tokens.access_token)
  const { data: staffs } = await save({ name: 'By the staff' }, switched)
  expect((await list(switched)).map(({ name }) => name)).toContain('By the owner')
  expect((await list(ada)).map(({ name }) => name)).not.toContain('By the staff')
  expect((await remove(staffs.id, ada)).code).toBe(131)
  for (const id of [staffs.id, owners.id]) expect((await remove(id, switched)).code).toBe(0)
})

it('a report that could not be shown is not saved', async () => {
  expect((await save({ report: { grouping: 'zodiac', range: 'last7' } })).code).toBe(150)
  expect((await save({ report: { grouping: 'country', start_date: '2026-02-30', end_date: '2026-03-01' } })).code).toBe(11)
  expect((await save({ schedule: 'weekly', schedule_day: 9 })).code).toBe(2)
  expect((await save({ schedule: 'daily', schedule_day: 1 })).code).toBe(2)
  expect((await save({ report: { grouping: 'day', id: campaign, range: 'last7' } }, bola)).code).toBe(130)
  expect(await list()).toEqual([])
})

it('a due report is mailed once, with a link and its file, and is due again a day later', async () => {
  const { data: saved } = await save()
  const before = (await toAda()).length
  await query(`update app.saved_reports set next_at = now() - interval '3 days' where id = $1`, [saved.id])
  const mail = await mailTo(product.dataDir, 'ada@nile.example', before + 1, 'Countries of the week')
  expect(mail.subject).toContain('Countries of the week')
  expect(linkIn(mail).pathname + linkIn(mail).search).toBe(`/reports?saved=${saved.id}`)
  expect(mail.attachments.map(({ filename }) => filename)).toEqual(['report-by-country.csv'])
  expect(mail.attachments[0]?.content.toString()).toBe('\ufeffCountry,Currency,Impressions,Spend\r\nNigeria,USD,1000,3\r\n')
  const [row] = await list()
  expect(Date.parse(row?.next_at ?? '')).toBeGreaterThan(Date.now())
  expect(Date.parse(row?.next_at ?? '')).toBeLessThanOrEqual(Date.now() + 86_400_000)
  await product.swept()
  expect(await toAda()).toHaveLength(before + 1)

  // As a workbook, in the language of the user.
  await query(`update identity.people set language_key = 2 where email = 'ada@nile.example'`)
  await query(`update app.saved_reports set format = 'xlsx', next_at = now() where id = $1`, [saved.id])
  const second = await mailTo(product.dataDir, 'ada@nile.example', before + 2, 'Countries of the week')
  expect(second.subject).toContain('отчёт')
  expect(second.attachments.map(({ filename }) => filename)).toEqual(['report-by-country.xlsx'])
  await query(`update identity.people set language_key = 1 where email = 'ada@nile.example'`)
})

it('a report of what is gone moves on without a mail', async () => {
  const [row] = await list()
  const before = (await toAda()).length
  await query(
    `update app.saved_reports set report = '{"grouping": "day", "id": "no-such-campaign", "range": "last7"}', next_at = now() where id = $1`,
    [row?.id],
  )
  await eventually(list, ([moved]) => Date.parse(moved?.next_at ?? '') > Date.now())
  expect(await toAda()).toHaveLength(before)
})

it('two processes that find a due report queue one mail', async () => {
  const db = createKysely(product.database.pool)
  const saved = createSavedReports(db)
  const { data } = await save({ schedule: 'none' })
  // Far ahead, so that the product itself leaves it alone.
  await query(`update app.saved_reports set next_at = '2090-01-01T08:00:00Z' where id = $1`, [data.id])
  const [row] = await query<SavedRow>('select * from app.saved_reports where id = $1', [data.id])
  if (row === undefined) throw new Error('the report was not saved')
  let queued = 0
  const advance = () => saved.advance(row, '2090-01-02T08:00:00Z', async () => void (queued += 1))
  await Promise.all([advance(), advance(), advance()])
  expect(queued).toBe(1)
})

it('an account has a bounded number of them, however many are saved at once', async () => {
  await query(`delete from app.saved_reports`)
  const [space] = await query<{ readonly id: string }>(
    `select home_space_id as id from identity.people where email = 'ada@nile.example'`,
  )
  await query(
    `insert into app.saved_reports (id, person_id, space_id, whitelabel_id, name, report, schedule, format, created_at)
     select 'filled-' || n, (select id from identity.people where email = 'ada@nile.example'), $1, 'dsp', 'n', '{}', 'none', 'csv', now()
     from generate_series(1, $2) n`,
    [space?.id, MOST_SAVED - 2],
  )
  const codes = (await Promise.all(Array.from({ length: 8 }, () => save({ schedule: 'none' })))).map(({ code }) => code)
  expect(codes.toSorted((a, b) => a - b)).toEqual([0, 0, 2, 2, 2, 2, 2, 2])
})
