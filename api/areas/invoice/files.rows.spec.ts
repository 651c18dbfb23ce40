import { expect, it } from 'vitest'
import type { InvoiceEvent } from '#domain/invoice/events'
import { campaignList } from '#projections/campaign/list/read-model'
import { commit, given, logOf, minute } from '#test/support/given-events'
import { invoiceDocument, type FilesKit } from './files.ts'

const DRAFTED: InvoiceEvent = {
  type: 'InvoiceDrafted',
  data: {
    space_id: 'nile',
    whitelabel_id: 'dsp',
    currency: 'USD',
    offset_seconds: 0,
    charge_from_date: '2026-10-01',
    charge_to_date: '2026-10-31',
    from: '2026-10-01T00:00:00.000Z',
    to: '2026-11-01T00:00:00.000Z',
    due_date: null,
    note: '',
  },
}
const ISSUING: InvoiceEvent = {
  type: 'InvoiceIssuing',
  data: { tax_mode: 'none', tax_rate: 0, issued_at: minute(1), due_at: '2026-11-15T00:00:00.000Z' },
}

it.each<readonly [title: string, events: readonly InvoiceEvent[], date: string]>([
  ['when it was made', [DRAFTED], minute(0)],
  ['when its issuing began', [DRAFTED, ISSUING], minute(1)],
  ['when it was made, after its issuing was cancelled', [DRAFTED, ISSUING, { type: 'IssuingCancelled', data: {} }], minute(0)],
])('the document of a draft is dated %s', async (_, events, date) => {
  const kit = {
    store: { readStream: () => Promise.resolve(logOf(events.map((event) => commit('invoice-i', event)))) },
    accounts: { find: () => Promise.resolve(null) },
    whiteLabels: { find: () => undefined, brandOf: () => ({ name: 'DSP', primary: '#000000' }) },
    invoices: {
      charges: { draftLines: () => Promise.resolve([]) },
      parties: { of: () => Promise.resolve({ seller: {}, buyer: {} }) },
    },
  }
  const document = await given()
    .project(campaignList)
    .read((db) => invoiceDocument({ ...kit, db } as unknown as FilesKit, 'i', 'en'))
  expect(document).toMatchObject({ issuedAt: date, issued: '2026-11-01' })
})
