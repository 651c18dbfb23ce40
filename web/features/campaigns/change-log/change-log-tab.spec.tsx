import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { entryOf, renderLog, serveLog } from '@/test/log-fixture'

const BUDGET = [{ path: 'budget', from: 20, to: 30 }]
const RENAMED = [{ path: 'name', from: 'Nile', to: 'Nile by night' }]
const two = [
  entryOf(2, BUDGET),
  entryOf(1, RENAMED, { author: 'System', author_id: null, source: 'policy', previous_state: null, events: ['CampaignCreated'] }),
]
const many = Array.from({ length: 30 }, (_, n) => entryOf(30 - n, [{ path: 'budget', from: 30 - n, to: 31 - n }]))
const row = (revision: number) => screen.findByTestId(`log-row-${revision}`)
const button = (name: string) => screen.getByRole('button', { name })
const never = () => new Promise<never>(() => {})
const pages = (sent: ReturnType<typeof serveLog>) =>
  sent.filter(({ url }) => url.pathname.includes('/snapshot/')).map(({ url }) => Object.fromEntries(url.searchParams))

afterEach(() => vi.unstubAllGlobals())

describe('the table of the change log', () => {
  // covers CAM-LOG-01 CAM-LOG-02 CAM-LOG-03
  it('says when, what from what to what, who and from where', async () => {
    serveLog(two)
    renderLog()
    expect(await row(2)).toHaveTextContent('Budget 20.00 → 30.00')
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Date',
      'State (difference)',
      'User',
      'Source',
    ])
    expect(await row(2)).toHaveTextContent(/^Jan 05, 2025 14:02Revision 2.*Ada HassanWeb$/)
    expect(await row(1)).toHaveTextContent('Campaign createdSystemSystem')
  })

  it('the table of the change log is walked through by the arrow keys, and opens an entry by Enter', async () => {
    serveLog(two)
    renderLog()
    within(await row(2))
      .getByRole('button')
      .focus()
    await userEvent.keyboard('{ArrowDown}')
    expect(within(await row(1)).getByRole('button')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByRole('dialog')).toHaveTextContent('revision 1')
  })

  it.each([29, 2])(
    'the table of the change log has an address for revision %i, wherever it is in the log, which ends with the dialog',
    async (revision) => {
      serveLog(many)
      const { search } = renderLog({ log_open: revision })
      expect(await screen.findByRole('dialog')).toHaveTextContent(`revision ${revision}`)
      await userEvent.keyboard('{Escape}')
      expect(search()).toEqual({})
      // The row of an entry may be on another page.
      const focused = within(await row(revision === 29 ? 29 : 30)).getByRole('button')
      await waitFor(() => expect(focused).toHaveFocus())
      await userEvent.click(within(await row(30)).getByRole('button'))
      expect(search()).toEqual({ log_open: 30 })
      expect(await screen.findByRole('dialog')).toHaveTextContent('revision 30')
    },
  )

  it('counts what has no room', async () => {
    const changes = ['name', 'budget', 'country', 'product_url', 'margin'].map((path) => ({ path, from: 'a', to: 'b' }))
    serveLog([entryOf(2, changes)])
    renderLog()
    expect(await row(2)).toHaveTextContent('+3 more')
  })

  // covers CAM-LOG-04
  it.each([25, 10] as const)('shows %i rows to come while it loads', async (log_rows) => {
    serveLog([], (url) => (url.pathname.includes('/snapshot/') ? never() : null))
    renderLog({ log_rows, log_page: 1 })
    await waitFor(() => expect(document.querySelectorAll('[data-slot=skeleton-row]')).toHaveLength(log_rows))
  })

  // covers CONST-06 CONST-09
  it('offers no other page while it loads', async () => {
    serveLog([], (url) => (url.pathname.includes('/snapshot/') ? never() : null))
    renderLog({ log_rows: 25, log_page: 1 })
    expect(await screen.findByRole('button', { name: 'Next' })).toBeDisabled()
    expect(button('Back')).toBeDisabled()
  })

  // covers CAM-LOG-05 CAM-LOG-06
  it('says beside a picture that there is nothing', async () => {
    serveLog([])
    renderLog()
    const empty = (await screen.findByText('No log')).closest('[data-slot=empty-state]')
    expect(empty?.querySelector('svg')).toBeInTheDocument()
  })

  // covers CAM-ERR-15 CAM-ERR-17
  it('says what the server says when it fails, and stops to wait', async () => {
    serveLog([], (url) => (url.pathname.includes('/snapshot/') ? { data: null, code: 2, message: 'The log is resting' } : null))
    renderLog()
    expect(await screen.findByRole('alert')).toHaveTextContent('The log is resting')
    expect(document.querySelector('[data-slot=skeleton-row]')).toBeNull()
  })

  // covers CAM-LOG-07 CAM-API-31 CONST-04 CONST-05 CONST-08 CONST-11
  it('goes from page to page, counting from one for the server', async () => {
    const sent = serveLog(many)
    const { search } = renderLog()
    await row(30)
    expect(
      within(screen.getByLabelText('Rows per page'))
        .getAllByRole('option')
        .map((one) => one.textContent),
    ).toEqual(['5', '10', '15', '25'])
    expect(button('Back')).toBeDisabled()
    await userEvent.click(button('Next'))
    await row(5)
    await waitFor(() => expect(button('Back')).toBeEnabled())
    expect(button('Next')).toBeDisabled()
    expect(search()).toEqual({ log_page: 1 })
    expect(pages(sent)).toEqual([
      { 'page-num': '1', 'page-size': '25' },
      { 'page-num': '2', 'page-size': '25' },
    ])
    await userEvent.selectOptions(screen.getByLabelText('Rows per page'), '5')
    expect(search()).toEqual({ log_rows: 5 })
  })

  // covers CONST-07 CONST-10
  it('the table of the change log has no other page when everything fits on one', async () => {
    serveLog(two)
    renderLog()
    await row(2)
    expect(button('Next')).toBeDisabled()
    expect(button('Back')).toBeDisabled()
  })
})

describe('filters of the change log', () => {
  it('filters of the change log show and change the day with which a report leads here', async () => {
    const sent = serveLog(many)
    const { search } = renderLog({ log_day: '2026-11-03' })
    await waitFor(() => expect(pages(sent).at(-1)).toMatchObject({ day: '2026-11-03' }))
    fireEvent.change(await screen.findByLabelText('Day (UTC)'), { target: { value: '2026-11-04' } })
    await waitFor(() => expect(pages(sent).at(-1)).toMatchObject({ day: '2026-11-04' }))
    expect(search()).toEqual({ log_day: '2026-11-04' })
    fireEvent.change(screen.getByLabelText('Day (UTC)'), { target: { value: '' } })
    await waitFor(() => expect(search()).toEqual({}))
    expect(screen.getByLabelText('Day (UTC)')).toBeVisible()
  })

  it('filters of the change log ask the server, stand in the address and go back to the first page', async () => {
    const sent = serveLog(many)
    const { search } = renderLog({ log_page: 1 })
    await row(5)
    await userEvent.selectOptions(screen.getByLabelText('Made by'), 'People')
    await userEvent.selectOptions(screen.getByLabelText('Who'), 'Ada Hassan')
    await userEvent.click(button('Field: All fields'))
    await screen.findByRole('dialog', { name: 'Field' })
    await userEvent.keyboard('budg typ{Enter}')
    expect(search()).toEqual({ log_source: 'people', log_who: 'ada', log_field: 'budget_type_key' })
    await waitFor(() =>
      expect(pages(sent).at(-1)).toEqual({
        'page-num': '1',
        'page-size': '25',
        author: 'ada',
        field: 'budget_type_key',
        source: 'people',
      }),
    )
    expect(screen.getByRole('button', { name: 'Field: Budget type' })).toHaveFocus()
  })

  it('filters of the change log show the last page instead of a page beyond it', async () => {
    const sent = serveLog(many)
    const { search } = renderLog({ log_page: 7 })
    expect(await row(5)).toBeInTheDocument()
    expect(search()).toEqual({ log_page: 1 })
    expect(pages(sent).at(-1)).toMatchObject({ 'page-num': '2' })
  })

  it('filters of the change log say that nothing fits them, and can be cleared without losing the focus', async () => {
    serveLog(two)
    const { search } = renderLog({ log_who: 'nobody' })
    expect(await screen.findByText('No entry matches')).toBeInTheDocument()
    expect(screen.queryByText('No log')).toBeNull()
    expect(screen.getByText('0 of 2 entries')).toBeInTheDocument()
    const [clear] = screen.getAllByRole('button', { name: 'Clear filters' })
    if (clear !== undefined) await userEvent.click(clear)
    expect(await row(2)).toBeInTheDocument()
    expect(search()).toEqual({})
    expect(screen.getByLabelText('Who')).toHaveFocus()
  })

  it('filters of the change log show the field that is looked for before others', async () => {
    serveLog([entryOf(2, [...RENAMED, ...BUDGET, { path: 'margin', from: 1, to: 2 }, { path: 'cpm', from: 1, to: 2 }])])
    renderLog({ log_field: 'margin' })
    expect(await row(2)).toHaveTextContent(/14:02Revision 2Margin 1% → 2%/)
  })
})
