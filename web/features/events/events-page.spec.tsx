import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { eventNames, listEvents, pixelKey, type TrackedEventRow } from '#contract/events'
import { refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const EVENT: TrackedEventRow = {
  id: 'order-7',
  space_id: 'space-1',
  name: 'purchase',
  time: '2026-11-02T10:00:00.000Z',
  value: 49.9,
  device_model: 'iPhone',
  url: 'https://nile.example/thanks?plan=gold',
  custom_parameters: { plan: 'gold', ship: 'Felucca', nights: '3' },
  source: 'pixel',
  campaign_id: 'campaign-1',
  campaign_name: 'Summer',
  attributed: true,
  conversion: true,
  unconfirmed: null,
}
const BARE: TrackedEventRow = {
  ...EVENT,
  id: 'view-1',
  name: 'page_view',
  value: null,
  device_model: null,
  url: null,
  custom_parameters: {},
  campaign_id: null,
  campaign_name: null,
  attributed: false,
  conversion: false,
}

function open(data: readonly TrackedEventRow[] = [EVENT, BARE], search = '', total = data.length, unconfirmed = 0) {
  const server = signedInServer()
  const asked: unknown[] = []
  server.on(listEvents, ({ body }) => {
    asked.push(body)
    return { current_page: 0, page_size: 10, total_size: total, unconfirmed_size: unconfirmed, data: [...data] }
  })
  server.on(eventNames, () => ({ names: ['page_view', 'purchase'] }))
  server.on(pixelKey, () => ({ space_id: 'space-1', key: 'px_1234', enabled: true, origins: [] }))
  return { server, asked, ...renderRoute(`/events${search}`) }
}
const table = () => screen.findByRole('table', { name: 'Events', busy: false })

describe('the events screen', () => {
  // covers EVT-01
  it('the events screen has the columns name, time, value, device model, URL and custom parameters, and the campaign', async () => {
    open()
    const rows = within(await table()).getAllByRole('row')
    expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
      ['Name', 'Time', 'Value', 'Device model', 'URL', 'Custom parameters', 'Campaign'],
      [
        'purchaseConversion',
        expect.stringContaining('Nov 02, 2026'),
        '49.9',
        'iPhone',
        'nile.example/thanks?plan=gold',
        'plan: gold+2',
        'Summer',
      ],
      ['page_view', expect.stringContaining('Nov 02, 2026'), '–', '–', '–', '–', '–'],
    ])
  })

  it('keeps period, name and page in the address, and asks the server for them', async () => {
    const { asked, address } = open([EVENT], '?start=2026-11-01&end=2026-11-02', 25)
    await table()
    expect(asked.at(-1)).toMatchObject({ from_date: '2026-11-01', to_date: '2026-11-02', name: null, page: 0, page_size: 10 })
    await userEvent.click(screen.getByRole('button', { name: 'Next' }))
    await expect.poll(() => asked.at(-1)).toMatchObject({ page: 1 })
    expect(address()).toContain('page=1')
    await userEvent.selectOptions(screen.getByLabelText('Filter by name'), 'purchase')
    await expect.poll(() => asked.at(-1)).toMatchObject({ name: 'purchase', page: 0 })
    expect(address()).toMatch(/name=purchase/)
    expect(address()).not.toContain('page=')
  })

  it('shows how to send an event with the key of the account before the first one', async () => {
    open([])
    expect(await screen.findByRole('heading', { name: 'No events yet' })).toBeVisible()
    expect((await screen.findByRole('region', { name: 'Pixel' })).textContent).toContain('px_1234')
    await userEvent.click(screen.getByRole('button', { name: 'Copy: Conversion' }))
    expect(await navigator.clipboard.readText()).toContain("placard('purchase'")
  })

  it('offers to clear the filters that hide every event', async () => {
    const { address } = open([], '?name=refund')
    await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }))
    expect(address()).toBe('/events')
  })

  it('shows events that are not confirmed apart, with the reason of each', async () => {
    const marked = [
      { ...EVENT, unconfirmed: 'origin' as const },
      { ...BARE, unconfirmed: 'click' as const },
    ]
    const { asked, address } = open(marked, '?name=purchase', 2, 2)
    await table()
    expect(asked.at(-1)).toMatchObject({ unconfirmed: false })
    await userEvent.selectOptions(screen.getByLabelText('Confirmed or not'), 'Not confirmed (2)')
    await expect.poll(() => asked.at(-1)).toMatchObject({ unconfirmed: true, name: null, page: 0 })
    expect(address()).toBe('/events?show=unconfirmed')
    const rows = within(await table())
      .getAllByRole('row')
      .slice(1)
    expect(rows.map(({ firstChild }) => firstChild?.textContent)).toEqual(['purchaseConversionOther site', 'page_viewNo click'])
    await userEvent.click(screen.getByRole('button', { name: 'page_view' }))
    expect(await screen.findByRole('dialog')).toHaveTextContent(
      'No click of the campaign was delivered in the 30 days before it.',
    )
  })

  it('says that all events are unconfirmed, and does not ask to set up the pixel again', async () => {
    open([], '', 0, 3)
    expect(await screen.findByText('3 events are not confirmed: choose them in the list above.')).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'No events yet' })).toBeNull()
  })

  it('opens an event in full from the keyboard, with its address as text that leads nowhere', async () => {
    open()
    within(await table())
      .getByRole('button', { name: 'purchase' })
      .focus()
    await userEvent.keyboard('{Enter}')
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent('nights3')
    expect(dialog).toHaveTextContent('https://nile.example/thanks?plan=gold')
    expect(
      within(dialog)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href')),
    ).toEqual(['/reports?campaignId=campaign-1'])
  })

  it('says that events could not be loaded', async () => {
    const server = signedInServer()
    server.on(listEvents, () => refusal(1, 500))
    server.on(eventNames, () => ({ names: [] }))
    renderRoute('/events')
    expect(await screen.findByText('Events could not be loaded')).toBeVisible()
  })
})
