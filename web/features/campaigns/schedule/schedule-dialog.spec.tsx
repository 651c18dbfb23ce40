import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { getCampaign } from '#contract/campaign'
import { listCampaigns } from '#contract/campaign-list'
import { cancelScheduled, changeScheduled, listScheduled, scheduleChanges, type ScheduledChangeOut } from '#contract/schedules'
import { setClock } from '@/lib/clock'
import { campaignWith } from '@/test/campaign-form'
import { listRowWith, pageOf, refusal, signedInServer, type FakeServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { scheduledWith as change } from '@/test/scheduled-change'

let server: FakeServer
let waiting: ScheduledChangeOut[]
const dialog = () => screen.getByRole('dialog')
const sent = () => server.calls(scheduleChanges).map(({ params, body }) => ({ id: params['id'], ...(body as object) }))

beforeEach(() => {
  setClock(() => Date.parse('2026-11-02T12:00:00.000Z'))
  server = signedInServer()
  waiting = []
  server.on(listScheduled, () => pageOf(waiting))
  server.on(listCampaigns, () =>
    pageOf([
      listRowWith({ timezone_offset_seconds: 7200 }),
      listRowWith({ id: 'campaign-2', name: 'Winter', budget: 40, timezone_offset_seconds: 7200 }),
    ]),
  )
  server.on(getCampaign, () => campaignWith({ id: 'campaign-1', name: 'Autumn', budget: 80, timezone_offset_seconds: 7200 }))
  server.on(scheduleChanges, () => ({ ids: ['new'], position: '9' }))
  return () => setClock(null)
})

async function type(label: string, text: string) {
  const input = within(dialog()).getByRole('textbox', { name: label })
  await userEvent.clear(input)
  await userEvent.type(input, text)
}

describe('scheduling from the list', () => {
  async function openOfRow() {
    renderRoute('/campaigns')
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for Autumn' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Schedule a change' }))
    await screen.findByRole('dialog', { name: 'Schedule a change' })
  }

  it('says in words what will happen in the zone of the campaign, and sends the change with its way back', async () => {
    await openOfRow()
    await type('Amount', '120')
    await type('Day', '11/06/2026')
    await type('Time', '18:00')
    await userEvent.click(within(dialog()).getByRole('switch', { name: 'Put it back later' }))
    await type('Back on', '11/09/2026')
    await type('Back at', '9:00')
    const preview = within(dialog()).getByTestId('schedule-row-campaign-1')
    expect(preview).toHaveTextContent('Fri, Nov 06, 2026 18:00 (UTC+02:00): the budget becomes $120.00 a day')
    expect(preview).toHaveTextContent('Mon, Nov 09, 2026 09:00 (UTC+02:00): the budget becomes $20.00 a day')
    await userEvent.click(within(dialog()).getByRole('button', { name: 'Schedule' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent()).toEqual([
      {
        id: 'campaign-1',
        group: null,
        note: '',
        changes: [
          { act: 'save', fields: { budget: 120 }, due_at: '2026-11-06T16:00:00.000Z' },
          { act: 'save', fields: { budget: 20 }, due_at: '2026-11-09T07:00:00.000Z' },
        ],
      },
    ])
  })

  it('sends nothing at a time that has passed', async () => {
    await openOfRow()
    await userEvent.click(within(dialog()).getByRole('radio', { name: 'Pause' }))
    await type('Day', '11/02/2026')
    await type('Time', '13:00')
    expect(within(dialog()).getByText('The time must be at least one minute ahead.')).toBeVisible()
    await userEvent.keyboard('{Enter}')
    expect(sent()).toEqual([])
  })

  it('schedules for the selected campaigns by the keyboard, in one group, and tells which ones were refused', async () => {
    server.on(scheduleChanges, ({ params }) =>
      params['id'] === 'campaign-2'
        ? refusal(2, 400, [{ path: 'changes', code: 2, key: 'scheduleFull', params: { max: 20 }, message: 'full' }])
        : { ids: ['new'], position: '9' },
    )
    renderRoute('/campaigns')
    await screen.findByRole('link', { name: 'Autumn' })
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
    await userEvent.keyboard('{Shift>}S{/Shift}')
    await screen.findByRole('dialog', { name: 'Schedule a change of 2 campaigns' })
    await userEvent.click(within(dialog()).getByRole('radio', { name: 'Pause' }))
    await type('Day', '11/08/2026')
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(sent()).toHaveLength(2))
    const groups = new Set(server.calls(scheduleChanges).map(({ body }) => (body as { readonly group: string }).group))
    expect(groups.size).toBe(1)
    expect([...groups][0]).toBeTruthy()
    expect(await within(dialog()).findByText('At most 20 scheduled changes may wait')).toBeVisible()
    expect(within(dialog()).getByText('1 scheduled, 1 not scheduled')).toBeVisible()
    expect(within(dialog()).getByTestId('schedule-row-campaign-1')).toHaveTextContent('Scheduled')
  })
})

describe('waiting changes of a campaign', () => {
  async function open() {
    renderRoute('/campaign/edit/campaign-1?tab=basicInfo')
    return screen.findByTestId('scheduled-change')
  }

  it('a waiting change is shown on the page of its campaign, in its zone, with who scheduled it', async () => {
    waiting = [change()]
    const line = await open()
    expect(line).toHaveTextContent('Fri, Nov 06, 2026 18:00 (UTC+02:00): the budget becomes $120.00 a day')
    expect(line).toHaveTextContent('by Ada Nile · Weekend')
  })

  it('a waiting change is cancelled, and an Undo schedules it again', async () => {
    waiting = [change()]
    server.on(cancelScheduled, () => {
      waiting = []
      return { id: 'change-1', position: '9' }
    })
    await open()
    await userEvent.click(screen.getByRole('button', { name: /^Cancel the change: / }))
    await waitFor(() => expect(screen.queryByTestId('scheduled-change')).toBeNull())
    expect(server.calls(cancelScheduled).map(({ params }) => params['id'])).toEqual(['change-1'])
    await userEvent.click(await screen.findByRole('button', { name: /^Undo/ }))
    await waitFor(() =>
      expect(sent()).toEqual([
        {
          id: 'campaign-1',
          group: null,
          note: 'Weekend',
          changes: [{ act: 'save', fields: { budget: 120 }, due_at: '2026-11-06T16:00:00.000Z' }],
        },
      ]),
    )
  })

  it('a waiting change is edited at the version that was shown', async () => {
    waiting = [change()]
    server.on(changeScheduled, () => ({ id: 'change-1', position: '9' }))
    await open()
    await userEvent.click(screen.getByRole('button', { name: /^Edit: / }))
    await screen.findByRole('dialog', { name: 'Edit a scheduled change' })
    await type('Time', '20:30')
    await userEvent.click(within(dialog()).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.calls(changeScheduled).map(({ body }) => body)).toEqual([
      { act: 'save', fields: { budget: 120 }, due_at: '2026-11-06T18:30:00.000Z', note: 'Weekend', version: 3 },
    ])
  })

  it('a waiting change is read, and not changed, by readers', async () => {
    server = signedInServer({ role: 'USER_VIEWER' })
    waiting = [change()]
    server.on(listScheduled, () => pageOf(waiting))
    server.on(getCampaign, () => campaignWith({ id: 'campaign-1', name: 'Autumn', budget: 80 }))
    await open()
    expect(screen.queryByRole('button', { name: 'Schedule a change' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^(Edit|Cancel the change): / })).toBeNull()
  })

  it('waiting changes are followed by those that ended, with the reason of a refusal', async () => {
    const ended = [
      change({ state: 'done', revision: 7 }),
      change({ id: 'change-2', act: 'run', fields: null, state: 'refused', code: 134 }),
      change({
        id: 'change-3',
        state: 'refused',
        code: 2,
        faults: [{ path: 'due_at', code: 2, message: '', key: 'scheduleTooLate', params: { hours: 24 } }],
      }),
    ]
    server.on(listScheduled, ({ query }) => pageOf(query.get('state') === 'ended' ? ended : [change({ id: 'change-4' })]))
    renderRoute('/campaign/edit/campaign-1?tab=basicInfo')
    await userEvent.click(await screen.findByRole('button', { name: 'Earlier changes' }))
    const lines = (await screen.findAllByTestId('ended-change')).map(({ textContent }) => textContent)
    expect(lines[0]).toMatch(/the budget becomes \$120\.00 a day · carried out$/)
    expect(lines[1]).toMatch(/the campaign runs · refused: Campaign status does not match the action$/)
    expect(lines[2]).toMatch(/refused: It could not be carried out within 24 hours$/)
  })
})
