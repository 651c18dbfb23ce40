import type { InvoiceDetails } from '#contract/invoices'
import { opened } from './opened.ts'
import { whoMay } from './people.ts'
import type { Places, Screen } from './screen.ts'

/** Accounts, their taxes and cards, invoices, and money that waits for a second person. */

const MANAGERS = whoMay('account.manage')
const LISTERS = whoMay('account.list')

const account =
  (tab = '') =>
  ({ accountOwner }: Places) =>
    `/admin/user/details/${accountOwner}${tab}`
const line = (name: string, impressions: number | null, amount: number, late = false) => {
  const cpm = impressions === null ? null : (1000 * amount) / impressions
  return { campaign_id: name, name, amount, printed: amount, impressions, cpm, late }
}
const party = (name: string, city: string, country: string) => ({
  name,
  legal_entity_name: `${name} Ltd`,
  tin_number: '100200300',
  address_line_1: '12 Corniche',
  address_line_2: '',
  city,
  postal_code: '11511',
  country,
  email: 'billing@nile.example',
})
const ISSUED: InvoiceDetails = {
  id: 'invoice-of-the-showcase',
  kind: 'invoice',
  number: 'INV-000077',
  status: 4,
  space_id: 'nile',
  space_name: 'Nile Travel',
  currency: 'USD',
  charge_from_date: '2026-01-01',
  charge_to_date: '2026-01-31',
  dated_at: '2026-02-01T06:00:00.000Z',
  issued_at: '2026-02-01T06:00:00.000Z',
  due_at: '2026-02-15T22:00:00.000Z',
  due_date: '2026-02-15',
  subtotal: 1798.19,
  exact_total: 1798.187431,
  rounding: 0.002569,
  tax: { included: false, percent: 14, taxable: 1798.19, amount: 251.75 },
  total: 2049.94,
  paid: 500,
  balance_due: 1549.94,
  credited: 0,
  note: 'Season 2026',
  comment: '',
  mails: 1,
  buyer: party('Nile Travel', 'Cairo', 'EG'),
  seller: {
    ...party('Placard', 'Rotterdam', 'NL'),
    bank_name: 'Delta Bank',
    bank_account: 'NL00DELT0123456789',
    bank_code: 'DELTNL2A',
    payment_link: '',
    payment_terms: 'Within 14 days',
  },
  lines: [
    line('Nile dinner cruise', 414_611, 1447.74),
    line('Luxor by river', 120_350, 302.1, true),
    line('Abu Simbel by sunrise, a name that is rather long for the line of an invoice', null, 48.35),
  ],
  payments: [
    {
      id: 'payment',
      type: 'logged',
      stage: 'confirmed',
      date: '2026-02-03',
      method: null,
      reference: 'TR-1907',
      comment: '',
      amount: 500,
      applied: 500,
      by: 'Kim Park',
      confirmed_by: 'Lena Vos',
      may_decide: false,
    },
  ],
  documents: [],
  history: [{ id: 'issued', at: '2026-02-01T06:00:00.000Z', type: 'InvoiceIssued', actor: 'Kim Park', text: '' }],
  unassigned_funds: 120,
  may: { edit: false, send: true, pay: true, void: true, credit: true },
}

/** The checked product delivers nothing, so it issues no invoices: one with lines is answered here. */
const withLines = (screen: Screen): Screen => ({
  ...screen,
  arrange: (page) =>
    page.route(`**/v1/invoice/${ISSUED.id}`, (route) =>
      route.fulfill({ json: { type: { code: 0, key: 'ok', message: 'OK' }, data: ISSUED } }),
    ),
})

const invoice = (page: string) => () => `/${page}/${ISSUED.id}`

export const BILLING: readonly Screen[] = [
  opened('account', LISTERS, account(), '#content [role=tabpanel] section dd'),
  opened('account-people', LISTERS, account('?tab=people'), '#content [role=tabpanel] :is(table, li)'),
  ...['limit', 'credit', 'settings'].map((name, index) =>
    opened(
      `account-${name}`,
      ['owner'],
      account(),
      '[role=dialog] form',
      `#content [role=tabpanel] section button >> nth=${index}`,
    ),
  ),
  {
    name: 'tax',
    people: MANAGERS,
    address: ({ accountOwner }) => `/admin/legal-entity/user/${accountOwner}`,
    shows: '#content form select',
    prepare: async (page) => {
      await page.locator('#content form select').selectOption('exclusive')
      await page.locator('#content form input[inputmode=decimal]').waitFor()
    },
  },
  opened('card-add', ['advertiser'], () => '/payments/history?tab=cards&open=card', '[role=dialog] input[type=radio]'),
  opened('approvals', ['owner', 'admin'], () => '/admin/payments', '#content section > ul > li button'),
  ...[
    opened('invoice', LISTERS, invoice('admin/invoice/details'), '#content [role=tabpanel] li button'),
    opened('invoice-own', ['advertiser', 'clerk'], invoice('payments/invoice'), '#content [role=tabpanel] li button'),
    ...[1, 2].map((place) =>
      opened(
        `invoice-tab-${place}`,
        ['owner', 'advertiser'],
        invoice('payments/invoice'),
        '#content [role=tabpanel][data-state=active]',
        `#content [role=tab] >> nth=${place}`,
      ),
    ),
  ].map(withLines),
]
