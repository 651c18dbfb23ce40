import readExcel from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountHistoryEntry, AccountRecord, FoundAccountItem, FoundCampaignItem } from '#contract/accounts'
import { newId } from '#platform/ids'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import {
  eventually,
  publishable,
  sessionOf,
  signIn,
  startTestProduct,
  type Session,
  type TestProduct,
} from '../support/product.ts'

type Page<T> = { readonly data: readonly T[]; readonly total_size: number; readonly current_page: number }
type Totals = { readonly count: number; readonly suspended: number; readonly balance: Record<string, number> }

const LIST = '/v1/whitelabel/admin/accounts/list'

describe('accounts', () => {
  let product: TestProduct
  let owner: Session
  let ada: Session
  let space = ''
  let lagos = ''
  let delivery: Awaited<ReturnType<typeof deliveryIn>>

  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    owner = await product.as('owner@dsp.example')
    delivery = await deliveryIn(product)
    ;({ ada, space } = delivery)
    lagos = (await (await product.as('bola@lagos.example')).call<{ space_id: string }>('GET', '/v1/user/me')).data.space_id
  })
  afterAll(() => product.stop())

  const list = async (asked: object = {}) => (await owner.call<Page<AccountRecord>>('POST', LIST, asked)).data
  const names = async (asked: object) => (await list(asked)).data.map(({ space_name }) => space_name)
  const details = async (id = space) => (await owner.call<AccountRecord>('GET', `/v1/space/${id}/details`)).data
  const put = (path: string, body: object, headers = {}) => owner.call<{ changed: string[] }>('PUT', path, body, headers)
  const history = async (id = space) => (await owner.call<Page<AccountHistoryEntry>>('GET', `/v1/space/${id}/history`)).data
  /** A user who registered, with another state than active. */
  const register = async (status: number, company: string) => {
    const id = newId()
    await product.database.pool.query(
      `insert into identity.people (id, whitelabel_id, home_space_id, roles, first_name, last_name, email, phone, company_name, status_key)
       values ($1, 'dsp', $2, '{USER_OWNER}', 'Zoë', 'Registrant', $3, null, $4, $5)`,
      [id, newId(), `${id}@registrant.example`, company, status],
    )
    return id
  }

  describe('accounts in the list', () => {
    // covers ADM-47 CONST-49
    it('accounts in the list are shown with their owner, balance, spend and campaigns to those who may read them', async () => {
      const { data } = await list()
      expect(data.map(({ space_name }) => space_name)).toEqual(['Lagos Foods', 'Nile Travel'])
      expect(data[1]).toMatchObject({
        email: 'ada@nile.example',
        first_name: 'Ada',
        role_key: 'USER_OWNER',
        status_key: 5,
        currency: 'USD',
        balance: expect.any(Number),
        campaigns: expect.any(Number),
        suspended: false,
        rewarded_ads_cpm_rate: 1,
        settings: { allow_make_payment: true },
      })
      expect(await ada.call('POST', LIST, {})).toMatchObject({ status: 403, code: 3 })
      const accountant = await product.as('accountant@dsp.example')
      expect((await accountant.call<Page<AccountRecord>>('POST', LIST, {})).data.total_size).toBe(2)
    })

    // covers ADM-02
    it('accounts in the list are filtered by the name of a period, and not by any other text', async () => {
      expect(await names({ dateLabel: 'Last 365 days' })).toEqual(['Lagos Foods', 'Nile Travel'])
      expect(await names({ dateLabel: 'Today' })).toEqual([])
      expect(await names({ dateLabel: 'since the flood' })).toEqual(['Lagos Foods', 'Nile Travel'])
    })

    it('accounts in the list carry every field of the user and space record', async () => {
      const { data } = await list({ name: 'nile' })
      const fields = [
        'id email invoice_due_day credit_limit first_name last_name currency phone locale profile_image role_key roles created_at',
        'updated_at deleted_at language_key settings balance whitelabel_id legal_entity_name tin_number moderator_comment',
        'tos_status_type_key status_key rewarded_ads_cpm_rate maxMargin',
      ]
      expect(Object.keys(data[0] ?? {})).toEqual(expect.arrayContaining(fields.flatMap((line) => line.split(' '))))
    })

    // covers ADM-54
    it('accounts in the list are filtered by a status key, with totals of the same ones', async () => {
      const waiting = await register(1, 'Éclair Bakery')
      expect(await names({ status_filter_key: 5 })).toEqual(['Lagos Foods', 'Nile Travel'])
      expect(await names({ status_filter_key: 1 })).toEqual(['Éclair Bakery'])
      expect(await names({ status_filter_key: 50 })).toHaveLength(3)
      expect((await owner.call('POST', LIST, { status_filter_key: 4 })).code).toBe(133)
      expect((await owner.call('POST', LIST, { dateCustomRange: ['not a day'] })).code).toBe(11)
      const { data } = await owner.call<AccountRecord>('GET', `/v1/whitelabel/admin/user/${waiting}`)
      expect(data).toMatchObject({ id: waiting, opened: false, status_key: 1, company_name: 'Éclair Bakery' })
      const totals = await owner.call<Totals>('POST', '/v1/whitelabel/admin/accounts/totals', { status_filter_key: 5 })
      expect(totals.data).toMatchObject({ count: 2, balance: { USD: expect.any(Number), NGN: expect.any(Number) } })
    })

    // covers ADM-44
    it('accounts in the list are exported as a workbook in which hostile names stay texts', async () => {
      const hostile = `=HYPERLINK("https://evil.example")`
      await product.database.pool.query('update identity.people set first_name = $1 where email = $2', [
        `${hostile}\u0007`,
        'bola@lagos.example',
      ])
      const response = await fetch(`${product.base}/v1/whitelabel/admin/accounts/excel`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ status: 'opened' }),
      })
      expect(response.headers.get('content-type')).toContain('spreadsheetml')
      expect(response.headers.get('cache-control')).toBe('no-store')
      const [sheet] = await readExcel(Buffer.from(await response.arrayBuffer()))
      const rows = sheet?.data ?? []
      expect(rows.map((row) => row[0])).toEqual(['Account', 'Lagos Foods', 'Nile Travel'])
      expect(rows[1]?.[1]).toBe(hostile)
      expect(typeof rows[2]?.[7]).toBe('number')
    })
  })

  describe('settings of an account', () => {
    it('settings of an account change together, and every fault is named', async () => {
      const wrong = {
        invoice_due_day: 29,
        max_margin: 101,
        base_bid: -1,
        rewarded_ads_cpm_rate: 0,
        account_type: 'club',
        niche: 'n'.repeat(301),
      }
      const refused = await owner.call('PUT', `/v1/space/${space}/settings`, wrong)
      expect(refused.code).toBe(2)
      expect(refused.data.errors.map(({ path }) => path).sort()).toEqual(Object.keys(wrong).sort())
      expect(
        (await put(`/v1/space/${space}/settings`, { niche: ' Travel ', account_type: 'agency', invoice_due_day: 15 })).data
          .changed,
      ).toEqual(['account_type', 'niche', 'invoice_due_day'])
      expect((await put(`/v1/space/${space}/settings`, { niche: 'Travel' })).data.changed).toEqual([])
      expect(await details()).toMatchObject({ niche: 'Travel', account_type: 'agency', invoice_due_day: 15 })
    })

    it('settings of an account name a manager of the same white-label only', async () => {
      const moderator = (await (await product.as('moderator@dsp.example')).call('GET', '/v1/user/me')).data.id
      const adaId = (await ada.call('GET', '/v1/user/me')).data.id
      for (const manager_id of [adaId, newId()]) expect((await put(`/v1/space/${space}/settings`, { manager_id })).code).toBe(2)
      expect((await put(`/v1/space/${space}/settings`, { manager_id: moderator })).code).toBe(0)
      const { data } = await history()
      expect(data[0]).toMatchObject({
        type: 'AccountSettingsChanged',
        actor: { name: 'Olivia Mbeki' },
        changes: [{ field: 'manager_id', from: null, to: 'Marek Novak' }],
      })
    })

    it('settings of an account are recorded once when a command is repeated with its key', async () => {
      const key = { 'idempotency-key': newId() }
      const before = (await history()).total_size
      for (let n = 0; n < 2; n++) expect((await put(`/v1/space/${space}/settings`, { niche: 'Cruises' }, key)).code).toBe(0)
      expect((await history()).total_size).toBe(before + 1)
    })

    it('settings of an account limit the margin and the bids of campaigns', async () => {
      const body = await publishable(product.base, ada)
      const { id } = (await ada.call('POST', '/v1/campaign', body)).data
      const margin = (value: number) => owner.call('PUT', '/v1/campaign', { id, margin: value })
      const adaId = (await ada.call('GET', '/v1/user/me')).data.id
      await put(`/v1/space/${space}/settings`, { max_margin: 12, base_bid: 0.6 })
      expect((await owner.call<number>('GET', `/v1/campaign/max-margin?user-id=${adaId}`)).data).toBe(12)
      expect((await margin(13)).data.errors[0]).toMatchObject({ path: 'margin', params: { max: 12 } })
      expect((await margin(12)).code).toBe(0)
      const bid = () => ada.call('POST', '/v1/campaign/saveAndPublish?dry_run=true', { id, manual_cpx: true, user_cpx: 0.5 })
      await eventually(bid, ({ code }) => code === 1308)
      await put(`/v1/space/${space}/settings`, { max_margin: null, base_bid: null })
      await eventually(bid, ({ code }) => code === 0)
      expect((await margin(49)).code).toBe(0)
    })

    it('the credit limit of an account takes effect and refuses negative amounts', async () => {
      expect((await put(`/v1/space/${lagos}/credit-limit`, { credit_limit: -1 })).code).toBe(2)
      expect((await put(`/v1/space/${lagos}/credit-limit`, { credit_limit: 250.5 })).data).toMatchObject({ credit_limit: 250.5 })
      expect(await details(lagos)).toMatchObject({ credit_limit: 250.5 })
    })

    // covers USR-29 USR-31
    it('the rate of audio spots is what everyone in the account reads', async () => {
      await put(`/v1/space/${space}/settings`, { rewarded_ads_cpm_rate: 2 })
      const read = () => ada.call<{ rewarded_ads_cpm_rate: number }>('GET', `/v1/space/${space}`)
      await eventually(read, ({ data }) => data.rewarded_ads_cpm_rate === 2)
      expect((await ada.call('GET', `/v1/space/${lagos}`)).code).toBe(110)
      expect((await ada.call('GET', `/v1/space/${space}/account`)).data).toMatchObject({ first_name: 'Ada', currency: 'USD' })
    })

    // covers USR-25 ERR-20 WL-22
    it('the legal entity of an account is stored outside of events', async () => {
      const adaId = (await ada.call('GET', '/v1/user/me')).data.id
      const legal = { user_id: adaId, legal_entity_name: 'Nile Travel S.A.E.', tin_number: '123-456-789' }
      expect((await put('/v1/user/legal', legal)).code).toBe(0)
      expect((await put('/v1/user/legal', { ...legal, user_id: newId() })).code).toBe(7)
      const { data } = await owner.call<AccountRecord>('GET', `/v1/whitelabel/admin/user/${adaId}`)
      expect(data).toMatchObject({ legal_entity_name: 'Nile Travel S.A.E.', tin_number: '123-456-789' })
      expect((await history()).data[0]).toMatchObject({
        type: 'LegalEntityChanged',
        changes: [{ field: 'legal_entity_name' }, { field: 'tin_number' }],
      })
      const { rows } = await product.database.pool.query<{ found: number }>(
        `select count(*)::int as found from es.events where data::text like '%123-456-789%' or data::text like '%S.A.E.%'`,
      )
      expect(rows[0]?.found).toBe(0)
    })
  })

  // covers USR-02 USR-03 USR-04 USR-11 USR-13 USR-14 USR-16 USR-18 USR-19
  it('the record of a user carries the terms of the account for the user and for staff, and the margin for those who may read it', async () => {
    const me = async (session: Session, id = 'me') => (await session.call<Record<string, unknown>>('GET', `/v1/user/${id}`)).data
    const before = await me(ada)
    expect(before).toMatchObject({ currency: 'USD', maxMargin: null, moderator_comment: null, tos_status_type_key: 1 })
    const id = String(before['id'])
    const terms = { invoice_due_day: 17, max_margin: 31, rewarded_ads_cpm_rate: 1.25 }
    expect((await put(`/v1/space/${space}/settings`, terms)).code).toBe(0)
    expect((await put(`/v1/space/${space}/credit-limit`, { credit_limit: 321.5 })).code).toBe(0)
    expect((await put('/v1/user/legal', { user_id: id, legal_entity_name: 'Nile Tours', tin_number: '77-1' })).code).toBe(0)
    const shown = {
      credit_limit: 321.5,
      invoice_due_day: 17,
      rewarded_ads_cpm_rate: 1.25,
      legal_entity_name: 'Nile Tours',
      tin_number: '77-1',
    }
    expect(
      await eventually(
        () => me(ada),
        (record) => record['invoice_due_day'] === 17 && record['credit_limit'] === 321.5,
      ),
    ).toMatchObject({ ...shown, maxMargin: null })
    expect(await me(owner, id)).toMatchObject({ ...shown, maxMargin: 31 })
    expect(await me(await product.as('accountant@dsp.example'), id)).toMatchObject({ ...shown, maxMargin: null })
    // Without a limit of the account: that of the product, as max-margin answers.
    const bola = String((await me(await product.as('bola@lagos.example')))['id'])
    expect((await me(owner, bola))['maxMargin']).toBe((await owner.call('GET', `/v1/campaign/max-margin?user-id=${bola}`)).data)
    const moderator = await product.as('moderator@dsp.example')
    expect(await moderator.call('GET', `/v1/user/${id}`)).toMatchObject({ status: 403, code: 3 })
    expect(
      (await put(`/v1/space/${space}/settings`, { invoice_due_day: null, max_margin: null, rewarded_ads_cpm_rate: 1 })).code,
    ).toBe(0)
    expect((await put(`/v1/space/${space}/credit-limit`, { credit_limit: 0 })).code).toBe(0)
  })

  describe('accounts in the search', () => {
    type Found = {
      all: (FoundAccountItem | FoundCampaignItem)[]
      campaigns: FoundCampaignItem[]
      accounts: FoundAccountItem[]
      campaigns_in_moderation_count: number
      registrants_in_moderation_count: number
    }
    const search = async (name: string, as = owner) => (await as.call<Found>('POST', '/v1/whitelabel/search', { name })).data

    // covers SEARCH-33 USR-20
    it('marks accounts with the type key 2, also in the account finder', async () => {
      const { accounts } = await search('nile')
      const finder = await owner.call<Found>('POST', '/v1/whitelabel/account-search', { name: 'nile' })
      expect(finder.data.accounts).toEqual(accounts)
      expect(accounts[0]).toMatchObject({
        type_key: 2,
        space_id: space,
        space_name: 'Nile Travel',
        created_at: expect.any(String),
        picture_id: null,
        user_id: expect.any(String),
      })
    })

    // covers SEARCH-32 SEARCH-34
    it('answers campaigns with id, name, start, status and account', async () => {
      const name = `Felucca ${newId().slice(0, 8)}`
      const made = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada, { name }))
      const { campaigns } = await eventually(
        () => search(name.replace('Felucca', 'feluca')),
        (found) => found.campaigns.length === 1,
      )
      expect(campaigns).toEqual([
        {
          type_key: 1,
          campaign_id: made.data.id,
          campaign_name: name,
          campaign_start_at: null,
          status_key: 0,
          space_id: space,
          space_name: 'Nile Travel',
        },
      ])
    })

    // covers SEARCH-29
    // covers SEARCH-30
    // covers SEARCH-31
    it('answers accounts, and how many campaigns and registrants wait for a moderator', async () => {
      const { data: queue } = await owner.call<Page<unknown>>('POST', '/v1/whitelabel/admin/moderation/queue', {})
      expect(await search('nile')).toMatchObject({
        accounts: [{ space_id: space }],
        campaigns_in_moderation_count: queue.total_size,
        registrants_in_moderation_count: 1,
      })
    })

    it('shows a user the own account and its campaigns only', async () => {
      const bola = await product.as('bola@lagos.example')
      const { accounts, campaigns } = await search('', bola)
      expect(accounts.map(({ space_name, own }) => [space_name, own])).toEqual([['Lagos Foods', true]])
      expect(campaigns.every(({ space_id }) => space_id === lagos)).toBe(true)
      expect(await search('nile', bola)).toMatchObject({ accounts: [], all: [] })
      expect(await search('felucca', bola)).toMatchObject({ campaigns: [] })
      const moderator = await product.as('moderator@dsp.example')
      expect((await moderator.call('POST', '/v1/whitelabel/search', { name: '' })).status).toBe(403)
    })
  })

  describe('suspended accounts', () => {
    const suspend = (body: object = { reason: 'Invoices unpaid' }, headers = {}) =>
      owner.call<{ suspended: boolean }>('POST', `/v1/space/${space}/suspend`, body, headers)
    const restore = () => owner.call('POST', `/v1/space/${space}/restore`, { reason: 'Paid' })
    const serving = async () => {
      const { data } = await delivery.bidder.call<{ campaigns: { id: string }[] }>('GET', '/v1/delivery/campaigns')
      return data.campaigns.map(({ id }) => id)
    }

    it('suspended accounts serve nothing, say why, keep their users out, and go on as before once they are restored', async () => {
      const id = await delivery.running({ budget: 30 })
      const paused = await delivery.running({ budget: 30 })
      await ada.call('POST', '/v1/campaign/pause', paused)
      expect(await serving()).toContain(id)
      expect((await ada.call('POST', `/v1/space/${space}/suspend`, { reason: 'me' })).status).toBe(403)
      const own = await signIn(product.base, 'ada@nile.example')

      const key = { 'idempotency-key': newId() }
      const answers = await Promise.all([suspend(undefined, key), suspend(undefined, key), suspend()])
      expect(answers.map(({ code }) => code)).toEqual([0, 0, 0])
      // Within a second, however many campaigns there are.
      await eventually(serving, (ids) => !ids.includes(id))
      expect((await own.call('GET', '/v1/user/me')).status).toBe(401)
      expect(await (await fetch(`${product.base}/v1/oauth/token`, signInAs('ada@nile.example'))).json()).toMatchObject({
        type: { code: 401 },
      })
      const stopped = await eventually(
        () => owner.call('GET', `/v1/campaign/${id}`),
        ({ data }) => data.status_key === 44,
      )
      expect(stopped.data.status_reasons[0]).toMatchObject({ key: 'account_suspended', remedy: 'ask_for_restoration' })
      expect((await owner.call('GET', `/v1/campaign/${paused}`)).data.status_key).toBe(41)
      expect(await details()).toMatchObject({ suspended: true, suspended_reason: 'Invoices unpaid' })
      expect(await names({ status: 'suspended' })).toEqual(['Nile Travel'])
      expect(await names({ status: 'active' })).toEqual(['Lagos Foods'])
      expect((await history()).data.filter(({ type }) => type === 'AccountSuspended')).toHaveLength(1)

      expect((await restore()).code).toBe(0)
      const back = await signIn(product.base, 'ada@nile.example')
      await eventually(
        () => back.call('GET', `/v1/campaign/${id}`),
        ({ data }) => data.status_key === 3,
      )
      expect((await back.call('GET', `/v1/campaign/${paused}`)).data.status_key).toBe(41)
      await eventually(serving, (ids) => ids.includes(id))
      expect((await history()).data[0]).toMatchObject({
        type: 'AccountRestored',
        reason: 'Paid',
        actor: { name: 'Olivia Mbeki' },
      })
    })

    it('accounts that are suspended are refused batches for the hours after the suspension', async () => {
      const back = await signIn(product.base, 'ada@nile.example')
      const content = await publishable(product.base, back, { name: `Suspended ${newId()}` })
      const { id } = (await back.call('POST', '/v1/campaign/saveAndPublish', content)).data
      await suspend()
      const { moderation_start_at } = (await owner.call('GET', `/v1/campaign/${id}`)).data
      // An approval during the suspension does not let it serve.
      await owner.call('POST', '/v1/whitelabel/admin/campaign/approve', { campaign_id: id, moderation_start_at })
      // The exchanges decide within a second.
      await eventually(
        () => owner.call('GET', `/v1/campaign/${id}`),
        ({ data }) => data.status_key === 45,
      )
      const sent = await delivery.bidder.call('POST', '/v1/delivery/batches', {
        batch_id: newId(),
        rows: [{ hour: hour(), campaign_id: id, impressions: 1 }],
      })
      expect(sent.data.errors[0]?.path).toBe('rows[0].campaign_id')
      await restore()
    })

    it('suspended accounts end up as the newest command says when a crash kept it from the users', async () => {
      await suspend()
      // As after a crash between the event and the users.
      await product.database.pool.query(
        `with undone as (delete from identity.account_suspensions where space_id = $1)
         update identity.people set suspended = false where home_space_id = $1`,
        [space],
      )
      const suspended = async () =>
        (
          await product.database.pool.query<{ all: boolean }>(
            'select bool_and(suspended) as all from identity.people where home_space_id = $1',
            [space],
          )
        ).rows[0]?.all
      await eventually(suspended, (all) => all === true)
      await Promise.all([restore(), restore(), suspend()])
      await restore()
      expect(await suspended()).toBe(false)
    })
  })

  it('accounts are out of reach of other white-labels', async () => {
    const anonymous = sessionOf(product.base, '')
    for (const path of [`/v1/space/${space}`, `/v1/space/${space}/details`, `/v1/space/${space}/history`])
      expect((await anonymous.call('GET', path)).status).toBe(401)
    expect((await owner.call('GET', `/v1/space/${newId()}/details`)).code).toBe(110)
    expect((await owner.call('GET', '/v1/whitelabel/admin/staff?whitelabel_id=am')).code).toBe(1420)
    expect(
      (await owner.call<{ people: { name: string }[] }>('GET', '/v1/whitelabel/admin/staff')).data.people.map(({ name }) => name),
    ).toContain('Marek Novak')
    const { people } = (await owner.call<{ people: { email: string }[] }>('GET', `/v1/space/${space}/people`)).data
    expect(people.map(({ email }) => email).sort()).toEqual(['ada@nile.example', 'clerk@nile.example'])
  })
})

const signInAs = (username: string) => ({
  method: 'POST',
  body: new URLSearchParams({ grant_type: 'password', username, password: 'Placard#2026' }),
})
