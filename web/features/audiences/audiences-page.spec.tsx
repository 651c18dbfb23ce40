import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import {
  audienceOverlap,
  createDynamic,
  deleteAudience,
  getAudience,
  listAudiences,
  previewAudience,
  saveDynamic,
  type AudienceDetails,
  type AudienceFile,
  type AudienceItem,
} from '#contract/audiences'
import { isBeyond, pageOf, refusal, signedInServer } from '@/test/fake-server'
import { fakeUploads } from '@/test/fake-uploads'
import { renderRoute } from '@/test/render-route'
import { toast } from '@/lib/toast'

const AUDIENCE: AudienceItem = {
  id: 'a1',
  space_id: 'space-1',
  space_name: 'Nile Travel',
  name: 'Buyers',
  type: 'static',
  status: 2,
  status_key: 2,
  row_count: 1500,
  accepted: 1200,
  rejected: 200,
  duplicates: 100,
  matched: 1199,
  version: 2,
  used_in: 1,
  created_at: '2026-11-01T10:00:00.000Z',
  updated_at: '2026-11-02T10:00:00.000Z',
}
const RULES = { condition: 'and', rules: [{ field: 'events_7d', operator: 'is_more_than', value: 2 }] } as never
const VERSION = {
  version: 2,
  status_key: 2 as const,
  row_count: 1500,
  accepted: 1200,
  rejected: 200,
  duplicates: 100,
  reasons: { prefix: 150, format: 50 },
  code: null,
  rules: null,
  author: 'Ada Nile',
  created_at: '2026-11-02T10:00:00.000Z',
  finished_at: '2026-11-02T10:00:05.000Z',
}
const DETAILS: AudienceDetails = {
  ...AUDIENCE,
  rules: null,
  progress: null,
  versions: [VERSION],
  campaigns: [{ id: 'c1', name: 'Luxor', status_key: 3, list: 'includeAny', version: 1, newer_version: true }],
  sizes: [
    { at: '2026-11-01T10:00:00.000Z', version: 1, members: 900 },
    { at: '2026-11-02T10:00:00.000Z', version: 2, members: 1199 },
  ],
}
const DYNAMIC: AudienceDetails = { ...DETAILS, id: 'a2', name: 'Searchers', type: 'dynamic', rules: RULES, campaigns: [] }

function open(address: string, rows: readonly AudienceItem[] = [AUDIENCE], role: 'USER_OWNER' | 'WL_MODERATOR' = 'USER_OWNER') {
  const server = signedInServer({ role })
  server.on(listAudiences, () => pageOf([...rows]))
  server.on(getAudience, ({ params }) => (params['id'] === 'a2' ? DYNAMIC : DETAILS))
  server.on(audienceOverlap, () => ({ audiences: [{ id: 'a3', name: 'Readers', members: 50, shared: 12, estimated: false }] }))
  const asked = () => server.calls(listAudiences).at(-1)?.body
  return { server, asked, ...renderRoute(address) }
}
const table = () => screen.findByRole('table', { name: 'Audiences', busy: false })

describe('the list of audiences', () => {
  // covers AUD-03 ROUTE-11
  it('shows name, type, status, rows, members, campaigns and the last change', async () => {
    open('/audiences')
    const row = within(await table()).getAllByRole('row')[1]
    expect(row).toHaveTextContent(/Buyers.*Static.*Ready.*1,500.*1,199.*1 campaign.*Nov 02, 2026/)
    // The account is shown where there are several.
    expect(screen.queryByRole('columnheader', { name: 'Account' })).toBeNull()
  })

  it.each([
    [1, 'Processing', 'warn'], // covers AUD-10
    [2, 'Ready', 'good'], // covers AUD-11
    [3, 'Failed', 'bad'], // covers AUD-12
  ] as const)('shows the status %s as "%s" in its colour', async (status_key, label, tone) => {
    open('/audiences', [{ ...AUDIENCE, status: status_key, status_key }])
    const shown = within(await table()).getByText(label)
    expect(shown).toHaveAttribute('data-tone', tone)
    const ink = { warn: 'text-warning', good: 'text-success', bad: 'text-destructive' }[tone]
    expect(shown).toHaveClass(ink)
  })

  it('filters by name, type and status, which the address keeps', async () => {
    const { asked, address } = open('/audiences')
    await table()
    await userEvent.selectOptions(screen.getByLabelText('Type'), 'Dynamic')
    await waitFor(() => expect(asked()).toMatchObject({ type: 'dynamic', page: 0 }))
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Failed')
    await waitFor(() => expect(asked()).toMatchObject({ status: 3 }))
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search by name' }), 'buy')
    await waitFor(() => expect(asked()).toMatchObject({ name: 'buy', type: 'dynamic', status: 3 }))
    expect(address()).toMatch(/type=dynamic/)
  })

  it('shows the last page instead of a page beyond it', async () => {
    const server = signedInServer()
    server.on(listAudiences, ({ body }) => pageOf(isBeyond(body, 25, 60) ? [] : [AUDIENCE], 60))
    const { address } = renderRoute('/audiences?page=9')
    expect(await screen.findByText('Buyers')).toBeVisible()
    expect(address()).toBe('/audiences?page=2')
    expect(screen.queryByText('No audiences yet')).toBeNull()
  })

  it('says of a small audience alone that it is not served', async () => {
    const server = signedInServer()
    server.on(listAudiences, () => pageOf([AUDIENCE, { ...AUDIENCE, id: 'a2', name: 'Testers', matched: 99 }], 2))
    renderRoute('/audiences')
    expect(await screen.findByRole('row', { name: /Testers.*Fewer than 100 members: not served/ })).toBeVisible()
    expect(screen.getAllByText('Fewer than 100 members: not served')).toHaveLength(1)
  })

  // covers AUD-17
  it('keeps at least two columns, however many are taken off', async () => {
    open('/audiences')
    await table()
    const columns = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    for (const name of ['Type', 'Status', 'Rows', 'Matched', 'Used in']) {
      await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
      await userEvent.click(await screen.findByRole('menuitemcheckbox', { name }))
      await userEvent.keyboard('{Escape}')
    }
    await waitFor(() => expect(columns()).toEqual(['Name', 'Updated', 'Actions']))
    await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
    expect(await screen.findByRole('menuitemcheckbox', { name: 'Updated' })).toHaveAttribute('aria-disabled', 'true')
  })

  it('names the campaigns that use an audience instead of asking whether to delete it', async () => {
    const { server } = open('/audiences')
    await userEvent.click(within(await table()).getByRole('button', { name: 'Delete Buyers' }))
    const dialog = await screen.findByRole('dialog', { name: 'Audience is used by campaigns' })
    expect(within(dialog).getByRole('link', { name: 'Luxor' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Delete audience' })).toBeNull()
    expect(server.calls(deleteAudience)).toEqual([])
  })

  it('asks before it deletes, and says that a campaign has begun to use the audience', async () => {
    const { server } = open('/audiences')
    server.on(getAudience, () => ({ ...DETAILS, campaigns: [] }))
    server.on(deleteAudience, () => refusal(184, 409))
    await userEvent.click(within(await table()).getByRole('button', { name: 'Delete Buyers' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Delete audience' }))
    const dialog = await screen.findByRole('dialog', { name: 'Audience is used by campaigns' })
    expect(dialog).toBeVisible()
  })

  it('lets moderators read and change nothing', async () => {
    open('/audiences', [AUDIENCE], 'WL_MODERATOR')
    await table()
    expect(screen.queryByRole('link', { name: 'New audience' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Delete Buyers' })).toBeNull()
  })

  it('says that there are none, and how to begin', async () => {
    open('/audiences', [])
    expect(await screen.findByText('No audiences yet')).toBeVisible()
    expect(screen.getAllByRole('link', { name: 'New audience' }).length).toBeGreaterThan(0)
  })

  it('says that they could not be loaded', async () => {
    const server = signedInServer()
    server.on(listAudiences, () => refusal(1, 500))
    renderRoute('/audiences')
    expect(await screen.findByText('Audiences could not be loaded')).toBeVisible()
  })
})

describe('the details of an audience', () => {
  // covers AUD-06 ROUTE-15
  it('the details of an audience show its counts, uploads with reasons, campaigns with their version, and the overlap', async () => {
    open('/audience/details/a1')
    expect(await screen.findByRole('heading', { level: 1, name: 'Buyers' })).toBeVisible()
    const summary = screen.getByRole('region', { name: 'Summary' })
    expect(summary).toHaveTextContent(/Members1,199.*Rows in the file1,500.*Accepted1,200.*Rejected200.*Duplicates100/)
    expect(screen.getByRole('table', { name: 'Versions of the audience' })).toHaveTextContent(
      /2Ready.*Ada Nile.*150Phone number with \+ or 00.*50Neither a device id nor a phone number/,
    )
    expect(screen.getByRole('table', { name: 'Campaigns that use the audience' })).toHaveTextContent(
      /Luxor.*Any of.*Version 1.*Newer version available/,
    )
    expect(await screen.findByRole('table', { name: 'Overlap' })).toHaveTextContent(/Readers50121%/)
    expect(screen.getByRole('slider', { name: 'Size over time' })).toBeVisible()
  })

  it('the details of an audience show how far a file is, and what failed', async () => {
    const { server } = open('/audience/details/a1')
    server.on(getAudience, () => ({
      ...DETAILS,
      status: 1 as const,
      status_key: 1 as const,
      progress: { rows: 2000, done: 500 },
    }))
    expect(await screen.findByText('500 of 2,000 rows')).toBeVisible()
  })

  it('the details of an audience show the rules of a dynamic audience in words', async () => {
    open('/audience/details/a2')
    expect(await screen.findByText('Events, 7 days is more than 2')).toBeVisible()
  })
})

describe('the form of an audience', () => {
  const READ: AudienceFile = {
    column: 'other',
    as_likely: [],
    kind: 'phone',
    device: null,
    country: 'EG',
    rows: 1,
    rejected: 0,
    reasons: {},
    normalised: { marks: 1 },
    examples: [],
  }
  const csv = (text: string) => new File([text], 'people.csv', { type: 'text/csv' })

  // covers AUD-04 ROUTE-14 ERR-13
  it('recognises the column, lets a person confirm it, and uploads the file', async () => {
    const uploads = fakeUploads()
    const notice = vi.spyOn(toast, 'success')
    open('/audience/create')
    await userEvent.type(await screen.findByLabelText('Name'), 'Buyers')
    await userEvent.upload(
      screen.getByLabelText('Choose a CSV file'),
      csv('who,mobile,other\nNadia,+2348031234567,234 8031234567\n'),
    )
    expect(await screen.findByText('Recognised: mobile. Check it before you upload.')).toBeVisible()
    expect(screen.getByText('Rejected: Phone number with + or 00')).toBeVisible()
    await userEvent.selectOptions(screen.getByLabelText('Column'), 'other')
    expect(screen.queryByText(/^Rejected/)).toBeNull()
    expect(screen.getByText('Read as 2348031234567')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Upload' }))
    expect(await uploads.fields()).toMatchObject({ name: 'Buyers', kind: 'phone', column: 'other' })
    await uploads.progress(1, 4)
    expect(screen.getByText('Uploading 25%')).toBeVisible()
    await uploads.answer({ ...READ, id: 'a1', status_key: 1, version: 1, position: '7' })
    await waitFor(() => expect(notice).toHaveBeenCalledWith('Audience Uploaded Successfully!'))
    expect(await screen.findByRole('heading', { level: 1, name: 'Buyers' })).toBeVisible()
  })

  it('asks for the column when two are as likely, and sends nothing before', async () => {
    const uploads = fakeUploads()
    open('/audience/create')
    await userEvent.type(await screen.findByLabelText('Name'), 'Buyers')
    await userEvent.upload(
      screen.getByLabelText('Choose a CSV file'),
      csv('phone;mobile\n2348031234567;2348031234568\n2348031234569;2348031234570\n'),
    )
    expect(await screen.findByText('These columns are as likely: phone, mobile. Choose one.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Upload' }))
    expect(await screen.findByText('Choose the column with the identifiers.')).toBeVisible()
    await userEvent.selectOptions(screen.getByLabelText('Column'), 'mobile')
    await userEvent.click(screen.getByRole('button', { name: 'Upload' }))
    expect(await uploads.fields()).toMatchObject({ column: 'mobile' })
  })

  it('asks for the column when none qualifies, and names the likeliest', async () => {
    open('/audience/create')
    const orders = 'order;note\n2348031234567;a\n2348031234568;b\n'
    await userEvent.upload(await screen.findByLabelText('Choose a CSV file'), csv(orders))
    expect(
      await screen.findByText('No column holds device ids or full phone numbers. The likeliest is order. Choose the column.'),
    ).toBeVisible()
  })

  it('reads numbers in any form with one switch', async () => {
    const uploads = fakeUploads()
    open('/audience/create')
    await userEvent.type(await screen.findByLabelText('Name'), 'Buyers')
    await userEvent.upload(screen.getByLabelText('Choose a CSV file'), csv('phone\n+2348031234567\n0100 555 0199\n'))
    expect(await screen.findAllByText(/^Rejected/)).toHaveLength(2)
    await userEvent.click(screen.getByRole('switch', { name: 'Also read phone numbers with +, 00 or in the national form' }))
    expect(screen.queryByText(/^Rejected/)).toBeNull()
    // The country of the account is Egypt.
    expect(screen.getByText('Read as 201005550199')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Upload' }))
    expect(await uploads.fields()).toMatchObject({ column: 'phone', phones: 'any' })
  })

  it('says what a file is that is no table', async () => {
    open('/audience/create')
    const workbook = new File([Uint8Array.from([0x50, 0x4b, 3, 4, 20, 0, 6, 0])], 'people.csv', { type: 'text/csv' })
    await userEvent.upload(await screen.findByLabelText('Choose a CSV file'), workbook)
    expect(await screen.findByText('This is an Excel workbook. Save the sheet as CSV UTF-8 and choose that.')).toBeVisible()
  })

  it('refuses an empty file as soon as it is chosen', async () => {
    open('/audience/create')
    await userEvent.upload(await screen.findByLabelText('Choose a CSV file'), csv(''))
    expect(await screen.findByText('The file is empty. Choose one with a row for each person.')).toBeVisible()
    await userEvent.upload(screen.getByLabelText('Choose a CSV file'), csv('mobile\n2348031234567\n'))
    expect(screen.queryByText(/^The file is empty/)).toBeNull()
  })

  it('names what is missing before anything is sent', async () => {
    open('/audience/create')
    await userEvent.click(await screen.findByRole('button', { name: 'Upload' }))
    expect(screen.getAllByText('Field is required.')).toHaveLength(2)
    await userEvent.click(screen.getByRole('radio', { name: 'Visitors by rule' }))
    expect(await screen.findByText('Add at least one complete rule.')).toBeVisible()
  })

  it('builds rules, shows how many visitors match, and creates the audience', async () => {
    const { server } = open('/audience/create')
    server.on(previewAudience, () => ({ visitors: 400, members: 37, complete: true }))
    server.on(createDynamic, () => ({ id: 'a2', status_key: 1 as const, version: 1, position: '7' }))
    await userEvent.click(await screen.findByRole('radio', { name: 'Visitors by rule' }))
    await userEvent.type(screen.getByLabelText('Name'), 'Searchers')
    await userEvent.click(screen.getByRole('button', { name: 'Add rule to group 1' }))
    await userEvent.selectOptions(screen.getByLabelText('Filter'), 'Events, 7 days')
    await userEvent.selectOptions(screen.getByLabelText('Operator'), 'is more than')
    await userEvent.type(screen.getByLabelText('Value'), '2')
    await userEvent.click(screen.getByRole('button', { name: 'Preview size' }))
    expect(await screen.findByText('37 of 400 visitors match now')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Create audience' }))
    await waitFor(() => expect(server.calls(createDynamic).at(-1)?.body).toEqual({ name: 'Searchers', rules: RULES }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Searchers' })).toBeVisible()
  })

  // covers AUD-05 ROUTE-13
  it('changes the rules of an audience, and shows the server refusal at its field', async () => {
    const { server } = open('/audience/edit/a2')
    server.on(saveDynamic, () => refusal(183, 409, [{ path: 'name', code: 183, message: 'Audience name exists' }]))
    const name = await screen.findByLabelText('Name')
    await userEvent.clear(name)
    await userEvent.type(name, 'Buyers')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Audience name exists')).toBeVisible()
    expect(server.calls(saveDynamic).at(-1)?.body).toEqual({ id: 'a2', name: 'Buyers', rules: RULES })
  })
})
