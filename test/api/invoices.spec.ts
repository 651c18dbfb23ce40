import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getDocumentProxy, extractText } from 'unpdf'
import type { InvoiceDetails, InvoicePayment, InvoiceSummary } from '#contract/invoices'
import { DELIVERED, deliveryIn } from '../support/delivery.ts'
import { mailTo } from '../support/mails.ts'
import { startTestProduct, type Answer, type Session, type TestProduct } from '../support/product.ts'

type Written = {
  readonly id: string
  readonly number: string | null
  readonly status: number
  readonly payment_id: string
  readonly stage: string
  readonly credit_note_id: string
  readonly credit_note_number: string | null
  readonly errors: readonly { readonly path: string; readonly code: number; readonly key?: string }[]
}
type Listed = {
  readonly total_size: number
  readonly data: readonly InvoiceSummary[]
  readonly totals: readonly { readonly currency: string; readonly total: number; readonly balance_due: number }[]
}

const day = (before: number): string => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10)
const TODAY = day(0)

describe('invoices', () => {
  let product: TestProduct
  let accountant: Session
  let owner: Session
  let admin: Session
  let ada: Session
  let clerk: Session
  let space = ''
  let campaign = ''
  let charge: Awaited<ReturnType<typeof deliveryIn>>['charge']

  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    accountant = await product.as('accountant@dsp.example')
    owner = await product.as('owner@dsp.example')
    admin = await product.as('admin@dsp.example')
    clerk = await product.as('clerk@nile.example')
    const delivery = await deliveryIn(product)
    ;({ ada, charge, space } = delivery)
    campaign = await delivery.running({ budget: 1000, name: 'Лагос ₦' })
  })
  afterAll(() => product.stop())

  /** The newest position that any session was answered: reads of the others include it. */
  let newest = '0'
  async function post(who: Session, path: string, body: object, key?: string): Promise<Answer<Written>> {
    const answer = await who.call<Written>(
      'POST',
      `/v1/invoice${path}`,
      body,
      key === undefined ? {} : { 'idempotency-key': key },
    )
    newest = answer.headers.get('x-position') ?? newest
    return answer
  }
  const read = async <T>(who: Session, path: string) => (await who.call<T>('GET', path, undefined, { 'x-position': newest })).data
  const details = (id: string, who = accountant) => read<InvoiceDetails>(who, `/v1/invoice/${id}`)
  const balance = async () => (await read<{ balance: number }>(ada, `/v1/space/balance/${space}`)).balance
  const draft = (from = TODAY, to = TODAY): Promise<Answer<Written>> =>
    post(accountant, '/create', { space_id: space, charge_from_date: from, charge_to_date: to })

  const deliver = (spent: number) => charge(campaign, spent)
  /** An issued invoice of new charges; the one before must be void or of another day. */
  async function issued(spent: number): Promise<string> {
    await deliver(spent)
    const { data } = await draft()
    const sent = await post(accountant, `/send/${data.id}`, {})
    expect(sent).toMatchObject({ code: 0, data: { status: 2 } })
    return data.id
  }
  const voided = (id: string) => post(owner, `/void/${id}`, { comment: 'Wrong terms' })
  const pdfText = async (id: string, language: string, who = accountant) => {
    const answer = await fetch(`${product.base}/v1/invoice/${id}/pdf?language=${language}`, {
      headers: { authorization: `Bearer ${who.token}` },
    })
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const copy = Buffer.from(bytes)
    const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true })
    return { text, bytes: copy }
  }

  // covers INV-03 FP-61
  it('a draft shows the settled charges of its period, and an account does not see it', async () => {
    await deliver(12.345678)
    const made = await draft()
    expect(made).toMatchObject({ code: 0, data: { status: 1, number: null } })
    const { id } = made.data
    expect(await details(id)).toMatchObject({
      id,
      status: 1,
      total: 12.35,
      exact_total: 12.345678,
      rounding: 0.004322,
      charge_from_date: TODAY,
      charge_to_date: TODAY,
      lines: [{ campaign_id: campaign, name: 'Лагос ₦', amount: 12.345678, late: false }],
    })
    expect((await clerk.call('GET', `/v1/invoice/${id}`)).code).toBe(131)
    const listedFor = async (who: Session) =>
      (await who.call<Listed>('POST', '/v1/invoice', {}, { 'x-position': newest })).data.data.map((one) => one.id)
    expect([(await listedFor(accountant)).includes(id), await listedFor(clerk)]).toEqual([true, []])
    // Another invoice of the same day would have the same charges.
    const again = await draft()
    expect(again).toMatchObject({ status: 400, code: 2, data: { errors: [{ path: 'charge_from_date', key: 'periodTaken' }] } })
    const changed = await accountant.call<Written>('PUT', `/v1/invoice/${id}`, { note: 'Thank you' })
    newest = changed.headers.get('x-position') ?? ''
    expect(await details(id)).toMatchObject({ note: 'Thank you' })
    expect((await accountant.call('DELETE', `/v1/invoice/${id}`)).code).toBe(0)
    expect((await accountant.call('GET', `/v1/invoice/${id}`)).code).toBe(131)
  })

  // covers INV-08 FP-61
  it('an invoice is issued with a number, and mailed once as a PDF', async () => {
    const { data } = await draft()
    const sent = await post(accountant, `/send/${data.id}`, {}, 'send-once')
    expect(sent).toMatchObject({ code: 0, data: { status: 2, number: expect.stringMatching(/^DSP-\d{4}-000001$/) } })
    expect(await post(accountant, `/send/${data.id}`, {}, 'send-once')).toMatchObject({ code: 0 })
    const mail = await mailTo(product.dataDir, 'ada@nile.example', 1, 'nvoice')
    expect(mail.subject).toContain(sent.data.number)
    expect(mail.attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
      [`${sent.data.number}.pdf`, 'application/pdf'],
    ])
    const { rows } = await product.database.pool.query(`select 1 from app.mails where template = 'invoice'`)
    expect(rows.length).toBe(1)
    expect((await details(data.id)).mails).toBe(1)
    // The account sees it now.
    expect(await details(data.id, clerk)).toMatchObject({ status: 2, total: 12.35, may: { pay: false, void: false } })
    expect((await voided(data.id)).data.status).toBe(5)
  })

  it('an invoice is mailed as it was issued while its read model is behind, never as a draft', async () => {
    const { data } = await draft()
    const holder = await product.database.pool.connect()
    try {
      await holder.query('begin')
      await holder.query('lock table rm_invoices__g1 in exclusive mode')
      const sent = await post(accountant, `/send/${data.id}`, { emails: ['behind@outside.example'] })
      expect(sent).toMatchObject({ code: 0, data: { status: 2 } })
      const mail = await mailTo(product.dataDir, 'behind@outside.example')
      expect(mail.attachments.map(({ filename }) => filename)).toEqual([`${sent.data.number}.pdf`])
      const { text } = await extractText(await getDocumentProxy(new Uint8Array(mail.attachments[0]?.content ?? [])), {
        mergePages: true,
      })
      expect(text).toContain('$12.35')
      expect(text).not.toContain('DRAFT')
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    expect((await voided(data.id)).data.status).toBe(5)
  })

  it('goes to addresses outside the product too', async () => {
    const { data } = await draft()
    expect((await post(accountant, `/send/${data.id}`, { emails: ['not an address'] })).data.errors[0]?.path).toBe('emails[0]')
    const many = Array.from({ length: 11 }, (_, n) => `a${n}@outside.example`)
    expect((await post(accountant, `/send/${data.id}`, { emails: many })).code).toBe(2)
    await post(accountant, `/send/${data.id}`, { emails: ['books@outside.example', 'Books@outside.example'] })
    const mail = await mailTo(product.dataDir, 'books@outside.example')
    expect(mail.attachments[0]?.content.subarray(0, 5).toString()).toBe('%PDF-')
    await voided(data.id)
  })

  it('invoices are mailed 20 times an hour each, and 30 times by one user to other addresses; beyond it nothing is lost', async () => {
    const to = async (id: string, emails?: readonly string[]) =>
      post(owner, `/send/${id}`, emails === undefined ? {} : { emails })
    const sent = async (id: string, times: number, at: string) => {
      const answers = await Promise.all(Array.from({ length: times }, () => to(id, [at])))
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused.every(({ code, headers }) => code === 2 && Number(headers.get('retry-after')) > 0)).toBe(true)
      return answers.filter(({ code }) => code === 0).length
    }
    const queued = async () =>
      Number((await product.database.pool.query(`select count(*) as n from app.mails where template = 'invoice'`)).rows[0].n)
    let mails = await queued()
    const more = async () => {
      const before = mails
      mails = await queued()
      return mails - before
    }
    const first = (await draft()).data.id
    expect((await to(first, ['often@outside.example'])).data.status).toBe(2)
    expect(await sent(first, 24, 'often@outside.example')).toBe(19)
    expect(await to(first)).toMatchObject({ status: 429, code: 2 })
    expect([await more(), (await details(first)).mails]).toEqual([20, 20])
    await voided(first)

    const second = (await draft()).data.id
    expect((await to(second, ['many@outside.example'])).data.status).toBe(2)
    expect(await sent(second, 13, 'many@outside.example')).toBe(9)
    expect(await more()).toBe(10)
    await voided(second)

    // A draft whose mail is refused is no invoice, and keeps its charges; the account's own address has its own limit.
    const third = (await draft()).data.id
    const before = await details(third)
    expect(await to(third, ['more@outside.example'])).toMatchObject({ status: 429, code: 2 })
    expect(await details(third)).toEqual(before)
    expect(await to(third)).toMatchObject({ code: 0, data: { status: 2 } })
    expect(await details(third)).toMatchObject({ total: before.total, mails: 1 })
    expect(await more()).toBe(1)
    await voided(third)
  })

  it('an invoice is refused where there is nothing to invoice', async () => {
    const { data } = await draft(day(40), day(35))
    const sent = await post(accountant, `/send/${data.id}`, {})
    expect(sent).toMatchObject({ code: 2, data: { errors: [{ key: 'nothingToInvoice' }] } })
    expect((await details(data.id)).status).toBe(1)
    await accountant.call('DELETE', `/v1/invoice/${data.id}`)
  })

  it('names every day that is no day', async () => {
    const { code, data } = await draft('2026-02-30', 'soon')
    expect(code).toBe(11)
    expect(data.errors.map(({ path }) => path)).toEqual(['charge_from_date', 'charge_to_date'])
  })

  it('takes a day, an instant and epoch milliseconds as its dates', async () => {
    const [from, to, due] = [day(40), day(38), day(-9)]
    const made = await post(accountant, '/create', {
      space_id: space,
      charge_from_date: Date.parse(`${from}T12:00:00Z`),
      charge_to_date: `${to}T23:00:00+00:00`,
      due_date: `${due}T12:00:00Z`,
    })
    expect(made.code).toBe(0)
    const { id } = made.data
    expect(await details(id)).toMatchObject({ charge_from_date: from, charge_to_date: to, due_date: due })
    const saved = await accountant.call('PUT', `/v1/invoice/${id}`, { charge_to_date: Date.parse(`${from}T12:00:00Z`) })
    expect(saved.code).toBe(0)
    newest = saved.headers.get('x-position') ?? newest
    expect(await details(id)).toMatchObject({ charge_from_date: from, charge_to_date: from })
    await accountant.call('DELETE', `/v1/invoice/${id}`)
  })

  // covers INV-06 INV-04 FP-61
  it('an invoice is part paid, then paid, by logged payments, and more than is due waits for a second person', async () => {
    const id = await issued(100)
    const before = await balance()
    const part = await post(accountant, `/log-payment/${id}`, {
      amount: 40,
      paid_at: TODAY,
      method: 'bank_transfer',
      reference: 'W-1',
      comment: 'Wire',
    })
    expect(part).toMatchObject({ code: 0, data: { status: 4, stage: 'applied' } })
    const rest = await post(accountant, `/log-payment/${id}`, { amount: 100, method: 'cash', reference: 'C-1' })
    expect(rest).toMatchObject({ code: 0, data: { status: 4, stage: 'pending' } })
    expect(await balance()).toBeCloseTo(before + 40, 6)
    expect((await post(accountant, `/payment/${rest.data.payment_id}/confirm`, {})).code).toBe(3)
    expect(await post(owner, `/payment/${rest.data.payment_id}/confirm`, {})).toMatchObject({ code: 0, data: { status: 3 } })
    const { total, paid, balance_due } = await details(id)
    expect([total, paid, balance_due]).toEqual([112.35, 112.35, 0])
    const { data } = await accountant.call<InvoicePayment[]>('GET', `/v1/invoice/transactions/${id}`)
    expect(data.map(({ type, amount, applied, reference, date }) => ({ type, amount, applied, reference, date }))).toEqual([
      { type: 'logged', amount: 100, applied: 72.35, reference: 'C-1', date: TODAY },
      { type: 'logged', amount: 40, applied: 40, reference: 'W-1', date: TODAY },
    ])
    expect(await balance()).toBeCloseTo(before + 140, 6)
    // Nothing is due any more.
    expect((await post(accountant, `/log-payment/${id}`, { amount: 1, reference: 'C-2' })).code).toBe(134)
    expect((await voided(id)).data.status).toBe(5)
    expect(await balance()).toBeCloseTo(before + 140, 6)
  })

  it('takes a payment of one idempotency key once, and refuses the same reference, amount and day', async () => {
    const id = await issued(1)
    const wire = { amount: 5, paid_at: TODAY, reference: 'W-7' }
    const [one, two] = await Promise.all([
      post(accountant, `/log-payment/${id}`, wire, 'wire-7'),
      post(accountant, `/log-payment/${id}`, wire, 'wire-7'),
    ])
    expect([one.code, two.code]).toEqual([0, 0])
    expect(two.data.payment_id).toBe(one.data.payment_id)
    expect((await details(id)).paid).toBe(5)
    const again = await post(owner, `/log-payment/${id}`, wire)
    expect(again).toMatchObject({ code: 2, data: { errors: [{ path: 'reference', key: 'paymentRepeated' }] } })
    expect((await post(owner, `/log-payment/${id}`, { ...wire, force: true, comment: 'Two wires' })).code).toBe(0)
    expect((await details(id, owner)).paid).toBe(10)
    // In each form of a date.
    for (const [i, paid_at] of [Date.parse(`${TODAY}T12:00:00Z`), `${TODAY}T12:00:00Z`].entries())
      expect((await post(accountant, `/log-payment/${id}`, { amount: 0.5, paid_at, reference: `D-${i}` })).code).toBe(0)
    const { data } = await accountant.call<InvoicePayment[]>('GET', `/v1/invoice/transactions/${id}`)
    expect(new Set(data.map(({ date }) => date))).toEqual(new Set([TODAY]))
    // No tab: it is no form of campaigns.
    const wrong = await post(accountant, `/log-payment/${id}`, { amount: 0.1, paid_at: 'soon', reference: 'D-9' })
    expect(wrong.data.errors).toEqual([{ path: 'paid_at', code: 11, message: 'Invalid date format', key: 'invalidDate' }])
    await voided(id)
  })

  it('two accountants who log at once pay no more than is due', async () => {
    const id = await issued(1)
    const due = (await details(id)).balance_due
    const before = await balance()
    const answers = await Promise.all(
      [accountant, owner, accountant, owner].map((who, i) =>
        post(who, `/log-payment/${id}`, { amount: due, reference: `R${i}` }),
      ),
    )
    expect(answers.map(({ code }) => code).sort((a, b) => a - b)).toEqual([0, 134, 134, 134])
    expect(await details(id, owner)).toMatchObject({ status: 3, paid: due })
    expect(await balance()).toBeCloseTo(before + due, 6)
    await voided(id)
  })

  // covers INV-07 SHELL-06
  it('an invoice is paid from the balance by the owner, which moves none of it', async () => {
    const id = await issued(2)
    const before = await balance()
    const { balance_due: due, unassigned_funds: funds } = await details(id)
    expect(funds).toBeGreaterThan(due)
    const tooMuch = await post(owner, `/pay-manually/${id}`, { from_balance: true, amount: due + 1 })
    expect(tooMuch).toMatchObject({ code: 2, data: { errors: [{ path: 'amount', key: 'moreThanDue' }] } })
    // A card that the account does not have.
    expect((await post(owner, `/pay-manually/${id}`, { payment_method_id: 'pm' })).code).toBe(142)
    expect(await post(owner, `/pay-manually/${id}`, { comment: 'From the deposit' })).toMatchObject({
      code: 0,
      data: { status: 3, stage: 'applied' },
    })
    expect(await balance()).toBeCloseTo(before, 6)
    expect((await details(id, owner)).unassigned_funds).toBeCloseTo((funds ?? 0) - due, 6)
    await voided(id)
    // The invoice no longer needs the funds.
    const again = await issued(1)
    expect((await details(again)).unassigned_funds).toBeCloseTo(funds ?? 0, 6)
    await voided(again)
  })

  it('a payment above the limit waits for another user', async () => {
    const limit = (value: number | null) =>
      owner.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings: { payment_approval_limit: value } })
    expect((await limit(50)).code).toBe(0)
    const id = await issued(3)
    const logged = await post(accountant, `/log-payment/${id}`, { amount: 60, reference: 'W-60' })
    expect(logged).toMatchObject({ code: 0, data: { stage: 'pending', status: 2 } })
    const { payment_id: payment } = logged.data
    expect((await details(id, owner)).payments).toMatchObject([{ id: payment, stage: 'pending', may_decide: true }])
    expect((await post(accountant, `/payment/${payment}/confirm`, {})).code).toBe(3)
    expect(await post(owner, `/payment/${payment}/confirm`, {})).toMatchObject({ code: 0, data: { stage: 'applied', status: 4 } })
    expect((await post(owner, `/payment/${payment}/confirm`, {})).code).toBe(134)
    const second = await post(accountant, `/log-payment/${id}`, { amount: 55, reference: 'W-55' })
    expect(await post(owner, `/payment/${second.data.payment_id}/reject`, { comment: 'Unknown wire' })).toMatchObject({
      code: 0,
      data: { stage: 'declined', status: 4 },
    })
    expect((await post(owner, `/payment/unknown/confirm`, {})).code).toBe(131)
    // Neither who set up the directory that made the accountant confirms it, nor anyone once the accountant lost the right.
    const third = `/payment/${(await post(accountant, `/log-payment/${id}`, { amount: 52, reference: 'W-52' })).data.payment_id}/confirm`
    const me = async (who: Session) => (await who.call<{ id: string; home_space_id: string }>('GET', '/v1/user/me')).data
    const { id: person, home_space_id: house } = await me(accountant)
    const madeBy = async (makers: readonly string[]) =>
      product.database.pool.query('update identity.people set made_by = $2 where id = $1', [person, makers])
    await madeBy([(await me(owner)).id])
    expect((await post(owner, third, {})).code).toBe(3)
    await madeBy([])
    const right = (path: string, body: object) => owner.call('POST', `/v1/space/${house}/team/${person}/${path}`, body)
    expect((await right('rights/take', { right: 'invoice.write' })).code).toBe(0)
    expect((await post(owner, third, {})).code).toBe(3)
    expect((await right('rights', { right: 'invoice.write', until: null })).code).toBe(0)
    expect((await post(owner, third, {})).code).toBe(134)
    // A higher limit needs a second person too.
    const raised = await limit(null)
    expect(raised).toMatchObject({
      code: 0,
      data: { approval_id: expect.any(String), whitelabel_settings: { payment_approval_limit: 50 } },
    })
    const { approval_id: waiting } = raised.data as unknown as { approval_id: string }
    expect((await owner.call('POST', `/v1/approvals/${waiting}/confirm`, {})).code).toBe(3)
    expect((await admin.call('POST', `/v1/approvals/${waiting}/confirm`, {})).code).toBe(0)
    expect((await admin.call('POST', `/v1/approvals/${waiting}/confirm`, {})).code).toBe(134)
    await voided(id)
  })

  describe('invoices with a limit of money by hand', () => {
    let id = ''
    afterAll(async () => {
      const raised = await owner.call<{ approval_id: string }>('PUT', '/v1/whitelabel/dsp', {
        whitelabel_settings: { payment_approval_limit: null },
      })
      expect((await admin.call('POST', `/v1/approvals/${raised.data.approval_id}/confirm`, {})).code).toBe(0)
      await voided(id)
    })
    const credit = (who: Session, amount: number) =>
      who.call<{ stage: string; approval_id: string; balance: number }>('POST', `/v1/space/${space}/credit`, {
        amount,
        comment: 'By hand',
      })

    // covers FP-63
    it('payments of one person and day are summed, and of calls at once no two pass the limit together', async () => {
      id = await issued(500)
      // Money that the tests before moved alone today.
      await product.database.pool.query(`delete from app.second_person where state = 'alone'`)
      const set = await owner.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings: { payment_approval_limit: 100 } })
      expect(set.code).toBe(0)
      const stages = await Promise.all(
        [40, 40, 40, 40].map(async (amount, i) => {
          const { data } = await post(accountant, `/log-payment/${id}`, { amount, reference: `Split ${i}` })
          return data.stage
        }),
      )
      expect(stages.toSorted()).toEqual(['applied', 'applied', 'pending', 'pending'])
      // Exactly up to the limit is within it.
      expect((await post(accountant, `/log-payment/${id}`, { amount: 20.01, reference: 'Over' })).data.stage).toBe('pending')
      expect((await post(accountant, `/log-payment/${id}`, { amount: 20, reference: 'Up to it' })).data.stage).toBe('applied')
      // A refused payment does not count.
      expect((await post(owner, `/log-payment/${id}`, { amount: 60, reference: 'Split 0', method: 'card' })).code).toBe(2)
      expect((await post(owner, `/log-payment/${id}`, { amount: 30, reference: 'Own' })).data.stage).toBe('applied')
    })

    it('a payment cannot be decided by who set up the directory that made the person who logged it, and says so', async () => {
      const maySee = async () => (await details(id, owner)).payments.filter((one) => one.may_decide).length
      const { id: ownerId } = (await owner.call<{ id: string }>('GET', '/v1/user/me')).data
      const { id: person } = (await accountant.call<{ id: string }>('GET', '/v1/user/me')).data
      const madeBy = (makers: readonly string[]) =>
        product.database.pool.query('update identity.people set made_by = $2 where id = $1', [person, makers])
      expect(await maySee()).toBe(3)
      await madeBy([ownerId])
      expect(await maySee()).toBe(0)
      await madeBy([])
    })

    // covers FP-63
    it('credits, corrections and credit notes count in the same sum, and wait for another owner beyond it', async () => {
      const before = await balance()
      expect((await credit(owner, 40)).data).toMatchObject({ stage: 'applied', approval_id: null })
      const correction = await credit(owner, -40)
      expect(correction).toMatchObject({ code: 0, data: { stage: 'pending' } })
      const note = await post(owner, `/credit/${id}`, { amount: 35, comment: 'Bad traffic' })
      expect(note).toMatchObject({ code: 0, data: { stage: 'pending', credit_note_number: null } })
      expect(await balance()).toBeCloseTo(before + 40, 6)
      const waiting = await admin.call<{ approvals: { id: string; kind: string; amount: number; may_decide: boolean }[] }>(
        'GET',
        '/v1/approvals',
      )
      expect(waiting.data.approvals).toMatchObject([
        { id: correction.data.approval_id, kind: 'credit', amount: -40, may_decide: true },
        { id: note.data.credit_note_id, kind: 'credit_note', amount: 35, may_decide: true },
      ])
      expect((await accountant.call('GET', '/v1/approvals')).code).toBe(3)
      const decide = (who: Session, which: string, how: string) => who.call('POST', `/v1/approvals/${which}/${how}`, {})
      expect((await decide(owner, correction.data.approval_id, 'confirm')).code).toBe(3)
      expect((await decide(accountant, correction.data.approval_id, 'confirm')).code).toBe(3)
      const twice = await Promise.all([1, 2, 3].map(() => decide(admin, correction.data.approval_id, 'confirm')))
      expect(twice.filter(({ code }) => code === 0).length).toBeGreaterThan(0)
      newest = twice.find(({ code }) => code === 0)?.headers.get('x-position') ?? newest
      expect(await balance()).toBeCloseTo(before, 6)
      expect((await decide(admin, note.data.credit_note_id, 'reject')).code).toBe(0)
      expect((await decide(admin, note.data.credit_note_id, 'confirm')).code).toBe(134)
      expect((await details(id, owner)).credited).toBe(0)
      expect((await decide(admin, 'unknown', 'confirm')).code).toBe(131)
    })
  })

  // covers FP-63
  it('a payment without a reference or an idempotency key is refused', async () => {
    const id = await issued(1)
    const wire = { amount: 1, method: 'cash' }
    expect(await post(accountant, `/log-payment/${id}`, wire)).toMatchObject({
      code: 1301,
      data: { errors: [{ path: 'reference', code: 1301 }] },
    })
    expect((await post(accountant, `/log-payment/${id}`, { ...wire, reference: ' ' })).code).toBe(1301)
    expect((await post(accountant, `/log-payment/${id}`, wire, 'cash-1')).code).toBe(0)
    await voided(id)
  })

  it('accountants and administrators do not charge cards', async () => {
    const id = await issued(1)
    const byCard = { payment_method_id: 'pm_of_ada' }
    for (const who of [accountant, admin])
      expect(await post(who, `/pay-manually/${id}`, byCard)).toMatchObject({ status: 403, code: 3 })
    expect((await details(id)).payments).toEqual([])
    await voided(id)
  })

  it('a credit note raises the balance and pays what is due, and never exceeds the invoice', async () => {
    const id = await issued(4)
    const { exact_total: total, balance_due: due } = await details(id)
    const before = await balance()
    const credited = await post(accountant, `/credit/${id}`, { amount: 10, comment: 'Bad traffic' })
    expect(credited).toMatchObject({ code: 0, data: { status: 4, credit_note_number: expect.stringMatching(/^DSP-/) } })
    expect(await balance()).toBeCloseTo(before + 10, 6)
    const after = await details(id)
    expect(after.balance_due).toBeCloseTo(due - 10, 6)
    expect(after.documents).toMatchObject([{ id: credited.data.credit_note_id, amount: 10 }])
    expect(await details(credited.data.credit_note_id)).toMatchObject({ kind: 'credit_note', total: 10, documents: [{ id }] })
    const { text } = await pdfText(credited.data.credit_note_id, 'en')
    expect(text).toContain('Credit note')
    expect(text).toContain(after.number)
    const tooMuch = await post(accountant, `/credit/${id}`, { amount: total, comment: 'All' })
    expect(tooMuch).toMatchObject({ code: 2, data: { errors: [{ path: 'amount', key: 'moreThanInvoiced' }] } })
    expect((await post(accountant, `/credit/${id}`, { amount: 1 })).code).toBe(1301)
    // A corrected invoice stands.
    expect((await voided(id)).code).toBe(134)
  })

  // covers INV-01 BILL-05 ROLE-08 SHELL-05
  it('invoices are listed with totals by currency, and an account sees its own', async () => {
    const { data } = await accountant.call<Listed>('POST', '/v1/invoice', { space_id: space, page_size: 150 })
    expect(Object.keys(data.data[0] ?? {})).toEqual(
      expect.arrayContaining(['id', 'status', 'total', 'charge_from_date', 'charge_to_date']),
    )
    const sums = data.data.filter(({ status, kind }) => status !== 5 && status !== 1 && kind === 'invoice')
    expect(data.totals).toMatchObject([{ currency: 'USD', total: sums.reduce((all, { total }) => all + total, 0) }])
    const own = await clerk.call<Listed>('POST', '/v1/invoice', {})
    expect(own.data.total_size).toBe(data.total_size)
    const void_ = await clerk.call<Listed>('POST', '/v1/invoice', { status: 5 })
    expect(new Set(void_.data.data.map(({ status }) => status))).toEqual(new Set([5]))
    expect((await clerk.call('POST', '/v1/invoice', { status: 9 })).code).toBe(133)
    const bola = await product.as('bola@lagos.example')
    expect((await bola.call<Listed>('POST', '/v1/invoice', {})).data.total_size).toBe(0)
    expect((await bola.call('POST', '/v1/invoice', { space_id: space })).code).toBe(1420)
    const id = data.data[0]?.id ?? ''
    expect([(await owner.call('GET', `/v1/invoice/${id}`)).code, (await bola.call('GET', `/v1/invoice/${id}`)).code]).toEqual([
      0, 131,
    ])
    expect(await post(ada, `/send/${id}`, {})).toMatchObject({ status: 403, code: 3 })
  })

  // covers INV-02 INV-05
  it('invoices have a finder of accounts, and the ledger of a user', async () => {
    const { data } = await accountant.call<{ users: { space_id: string; invoices: number }[] }>('POST', '/v1/invoice/users', {
      search: 'nile',
    })
    expect(data.users).toMatchObject([{ space_id: space, invoices: expect.any(Number) }])
    expect(data.users[0]?.invoices).toBeGreaterThan(0)
    const me = (await ada.call<{ id: string }>('GET', '/v1/user/me')).data.id
    const ledger = await accountant.call<{ data: { type: string; amount: number }[]; total_size: number }>(
      'GET',
      `/v1/invoice/user-transactions/${me}?page_size=50`,
    )
    expect(ledger.code).toBe(0)
    expect(ledger.data.data.map(({ type }) => type)).toContain('credit_note')
  })

  it('invoices lead from a line to its days and settlements, which are movements of the ledger', async () => {
    const { data } = await owner.call<Listed>('POST', '/v1/invoice', { space_id: space, search: 'DSP' })
    const id = data.data.find(({ kind, status }) => kind === 'invoice' && status !== 5)?.id ?? ''
    const { lines } = await details(id)
    const line = await clerk.call<{
      amount: number
      days: { day: string; amount: number; settlements: { number: number; amount: number; movement_id: string }[] }[]
    }>('GET', `/v1/invoice/${id}/lines/${campaign}`)
    expect(line.data.amount).toBe(lines[0]?.amount)
    const settlements = line.data.days.flatMap((one) => one.settlements)
    expect(settlements.reduce((sum, { amount }) => sum + Math.round(amount * 1e6), 0)).toBe(Math.round(line.data.amount * 1e6))
    const ledger = await clerk.call<{ data: { id: string; settlement: number | null; amount: number }[] }>(
      'POST',
      `/v1/space/${space}/ledger`,
      { type: 'spend', page_size: 150 },
    )
    for (const { number, movement_id } of settlements)
      expect(ledger.data.data).toContainEqual(expect.objectContaining({ id: movement_id, settlement: number }))
    expect((await clerk.call('GET', `/v1/invoice/${id}/lines/unknown`)).code).toBe(131)
  })

  it('invoices print in both languages with every sign, the same bytes each time', async () => {
    const { data } = await owner.call<Listed>('POST', '/v1/invoice', { space_id: space, status: [3, 4] })
    const id = data.data.find(({ kind }) => kind === 'invoice')?.id ?? ''
    const english = await pdfText(id, 'en')
    expect(english.text).toContain('Лагос ₦')
    expect(english.text).toContain('Balance due')
    const russian = await pdfText(id, 'ru')
    expect(russian.text).toContain('К оплате')
    expect((await pdfText(id, 'en')).bytes.equals(english.bytes)).toBe(true)
    expect((await pdfText(id, 'en', clerk)).bytes.equals(english.bytes)).toBe(true)
  })

  it('invoices are created for accounts in reach alone', async () => {
    const days = { charge_from_date: day(90), charge_to_date: day(90) }
    expect(await post(ada, '/create', { space_id: space, ...days })).toMatchObject({ status: 403, code: 3 })
    expect(await post(accountant, '/create', { space_id: 'unknown', ...days })).toMatchObject({ status: 409, code: 1420 })
    const { data } = await owner.call<{ space_id: string }>('GET', '/v1/user/me')
    expect((await post(owner, '/create', { space_id: data.space_id, ...days })).code).toBe(1420)
  })

  it('invoices have ten thousand lines, each with its charges', async () => {
    const { pool } = product.database
    await pool.query(
      `insert into app.charged_hours (space_id, campaign_id, hour, first_settlement, last_settlement, amount)
       select $1, 'campaign-' || n, now() - interval '50 days', 1, 1, n from generate_series(1, 10000) n`,
      [space],
    )
    const { data } = await draft(day(52), day(48))
    const sent = await post(accountant, `/send/${data.id}`, { emails: ['many@outside.example'] })
    expect(sent).toMatchObject({ code: 0, data: { status: 2 } })
    const { lines, exact_total: total } = await details(data.id)
    expect(lines.length).toBe(10_000)
    expect(Math.round(total * 1e6)).toBe((10_000 * 10_001) / 2)
    const csv = await fetch(`${product.base}/v1/invoice/${data.id}/csv`, {
      headers: { authorization: `Bearer ${accountant.token}` },
    })
    expect((await csv.text()).trimEnd().split('\r\n').length).toBe(10_001)
    const { text } = await pdfText(data.id, 'en')
    expect(text).toContain('campaign-9999')
  })

  it('invoices have numbers without gaps', async () => {
    const { rows } = await product.database.pool.query<{ number: number }>(
      `select number from app.invoice_numbers where whitelabel_id = 'dsp' order by number`,
    )
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, i) => i + 1))
    expect(rows.length).toBeGreaterThan(8)
  })
})
