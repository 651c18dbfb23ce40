import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { toast as drawn } from 'sonner'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_CONTENT } from '#domain/campaign/content/content'
import { toast } from '@/lib/toast'
import { entryOf, renderLog, serveLog, type Answers } from '@/test/log-fixture'

const BUDGET = [{ path: 'budget', from: 20, to: 30 }]
const three = [
  entryOf(3, [{ path: 'name', from: 'Nile', to: 'Nile by night' }]),
  entryOf(2, BUDGET),
  entryOf(1, [{ path: 'name', from: null, to: 'Nile' }], { previous_state: null, events: ['CampaignCreated'] }),
]
const many = Array.from({ length: 7 }, (_, n) => entryOf(7 - n, BUDGET))
const dialog = () => screen.getByRole('dialog', { name: 'Log Info' })
const inDialog = (name: string) => within(dialog()).getByRole('button', { name })

async function openEntry(revision: number, own?: Answers, entries = three, readOnly = false) {
  const sent = serveLog(entries, own)
  const log = renderLog(entries === many ? { log_rows: 5 } : {}, readOnly)
  await userEvent.click(await screen.findByTestId(`log-row-${revision}`))
  await screen.findByRole('dialog', { name: 'Log Info' })
  return { sent, ...log }
}

afterEach(() => {
  vi.unstubAllGlobals()
  drawn.getHistory().forEach(({ id }) => drawn.dismiss(id))
})

describe('the dialog of an entry', () => {
  // covers CAM-LOG-08 CAM-LOG-11 CAM-LOG-12 CAM-LOG-18
  it('compares what was and what is side by side, and says when, who and what happened', async () => {
    await openEntry(2)
    expect(dialog()).toHaveTextContent('Jan 05, 2025 14:02 · Ada Hassan · revision 2')
    expect(dialog()).toHaveTextContent('Changes saved · Web')
    expect(
      within(dialog())
        .getAllByRole('columnheader')
        .map((one) => one.textContent),
    ).toEqual(expect.arrayContaining(['Field', 'Previous', 'Current']))
    const changed = screen.getByTestId('log-change-budget')
    expect(within(changed).getByTestId('previous')).toHaveTextContent('20.00')
    expect(within(changed).getByTestId('current')).toHaveTextContent('30.00')
  })

  it('shows the other fields only when asked', async () => {
    await openEntry(2)
    expect(screen.queryByTestId('log-change-name')).toBeNull()
    await userEvent.click(screen.getByRole('switch', { name: 'All fields' }))
    expect(screen.getByTestId('log-change-name')).toHaveTextContent('Campaign nameNileNile')
  })

  it('tells the changes one by one, as they are read out', async () => {
    await openEntry(2)
    await userEvent.click(screen.getByRole('tab', { name: 'Changes' }))
    expect(within(dialog()).getByRole('listitem')).toHaveTextContent('Budget: was 20.00, now 30.00')
    await userEvent.click(screen.getByRole('tab', { name: 'As stored' }))
    expect(screen.getByTestId('log-stored-budget')).toHaveTextContent('budget2030')
  })

  it('opens by the keyboard, goes on with Alt and arrows, and gives the focus to the row that was looked at last', async () => {
    serveLog(three)
    renderLog()
    const first = within(await screen.findByTestId('log-row-3')).getByRole('button')
    first.focus()
    await userEvent.keyboard('{Enter}')
    expect(dialog()).toHaveTextContent('revision 3')
    expect(inDialog('Newer entry')).toHaveAttribute('aria-disabled', 'true')
    await userEvent.keyboard('{Alt>}{ArrowDown}{ArrowDown}{/Alt}')
    expect(dialog()).toHaveTextContent('revision 1')
    expect(inDialog('Older entry')).toHaveAttribute('aria-disabled', 'true')
    await userEvent.click(inDialog('Newer entry'))
    expect(dialog()).toHaveTextContent('revision 2')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(within(screen.getByTestId('log-row-2')).getByRole('button')).toHaveFocus())
  })

  it('goes on to the next page', async () => {
    const { search } = await openEntry(3, undefined, many)
    await userEvent.click(inDialog('Older entry'))
    await waitFor(() => expect(dialog()).toHaveTextContent('revision 2'))
    expect(search()).toEqual({ log_rows: 5, log_page: 1, log_open: 2 })
    await userEvent.click(inDialog('Newer entry'))
    await waitFor(() => expect(dialog()).toHaveTextContent('revision 3'))
    expect(search()).toEqual({ log_rows: 5, log_open: 3 })
  })

  it('says why it does not go on when the next page cannot be read', async () => {
    const { search } = await openEntry(
      3,
      ({ pathname, searchParams }) =>
        pathname.includes('/revision/snapshot/') && searchParams.get('page-num') === '2'
          ? { data: null, code: 5, message: 'Too many calls' }
          : null,
      many,
    )
    await userEvent.click(inDialog('Older entry'))
    await screen.findByText(/Too many calls/)
    expect(search()).toEqual({ log_rows: 5, log_open: 3 })
  })

  // covers CAM-ERR-24
  it('an entry is copied as it came over the wire, and the dialog says so', async () => {
    const said = vi.spyOn(toast, 'success')
    await openEntry(2)
    await userEvent.click(inDialog('Copy as JSON'))
    await waitFor(() => expect(said).toHaveBeenCalledWith('Copied'))
    expect(JSON.parse(await navigator.clipboard.readText())).toEqual(three[1])
  })

  it('shows the campaign as it was', async () => {
    const state = {
      ...DEFAULT_CONTENT,
      name: 'Nile',
      targeting: { ...DEFAULT_CONTENT.targeting, gender: 2 },
      traffic_targeting: '[]',
    }
    await openEntry(2, ({ pathname, search }) =>
      pathname === '/v1/campaign/c1/at' && search === '?revision=2'
        ? { data: { revision: 2, at: new Date(2025, 0, 5, 14, 2).toISOString(), state, status_key: 3, status_reasons: [] } }
        : null,
    )
    await userEvent.click(inDialog('Show the campaign as it was'))
    const past = await screen.findByRole('dialog', { name: 'The campaign as it was' })
    await waitFor(() => expect(past).toHaveTextContent('Revision 2, Jan 05, 2025 14:02'))
    expect(past).toHaveTextContent('GenderMale')
    // A field without a value is counted, not listed.
    expect(past).not.toHaveTextContent('Empty')
    expect(past).toHaveTextContent(/\d+ fields were empty\./)
    const at = encodeURIComponent(new Date(2025, 0, 5, 14, 2).toISOString())
    const form = within(past).getByRole('link', { name: 'See it in the form, with its creatives' })
    expect(form).toHaveAttribute('href', `/campaign/edit/c1?tab=basicInfo&as_of=${at}`)
  })
})

const TRIAL = {
  events: [],
  diff: [{ path: 'budget', from: 30, to: 20 }],
  status_key: 41,
  status_reasons: [],
  revision: 4,
  moderator_needed: true,
}
const DONE = { id: 'c1', status_key: 41, status_reasons: [], revision: 4, position: '9', kept: ['country'] }

describe('taking back', () => {
  it.each([
    ['Undo this change', 'Undo revision 2?', 'Undo change', 'undo', 'Revision 2 undone'],
    ['Restore this version', 'Restore revision 2?', 'Restore version', 'restore', 'Revision 2 restored'],
  ] as const)('%s: says what will be before it is done', async (open, title, confirm, path, said) => {
    const { sent } = await openEntry(2, ({ pathname, search }) =>
      pathname.endsWith(`/${path}`) ? { data: search === '?dry_run=true' ? TRIAL : DONE } : null,
    )
    await userEvent.click(inDialog(open))
    const question = await screen.findByRole('dialog', { name: title })
    await within(question).findByText('This changes 1 field:')
    expect(question).toHaveTextContent('Budget: was 30.00, now 20.00')
    expect(question).toHaveTextContent('The status will be “Paused”. What changed is shown once a moderator has approved it.')
    const written = () => sent.filter(({ url }) => url.pathname.endsWith(`/${path}`) && url.search === '')
    expect(written()).toEqual([])
    await userEvent.click(within(question).getByRole('button', { name: confirm }))
    expect(await screen.findByText(said)).toBeInTheDocument()
    expect(await screen.findByText('Kept as it is, since it can no longer be changed: Country')).toBeInTheDocument()
    expect(written().map(({ body }) => body)).toEqual([{ revision: 2 }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('names the revisions that stand in the way', async () => {
    const errors = [{ path: 'revision.3', code: 140, message: 'Changed again in revision 3' }]
    await openEntry(2, ({ pathname }) => (pathname.endsWith('/undo') ? { data: { errors }, code: 140 } : null))
    await userEvent.click(inDialog('Undo this change'))
    expect(await screen.findByRole('alert')).toHaveTextContent('Changed again since: revision 3.')
    expect(screen.getByRole('button', { name: 'Undo change' })).toBeDisabled()
  })

  it('taking back is not offered to those who only read, nor for what cannot be taken back', async () => {
    await openEntry(2, undefined, three, true)
    expect(within(dialog()).queryByRole('button', { name: /Undo|Restore/ })).toBeNull()
  })

  it('offers neither to restore the newest revision nor to undo the first', async () => {
    await openEntry(3)
    expect(within(dialog()).queryByRole('button', { name: /Restore/ })).toBeNull()
    await userEvent.keyboard('{Alt>}{ArrowDown}{ArrowDown}{/Alt}')
    expect(within(dialog()).queryByRole('button', { name: /Undo/ })).toBeNull()
    expect(inDialog('Restore this version')).toBeInTheDocument()
  })
})

describe('comparing any two revisions', () => {
  const answers: Answers = ({ pathname, searchParams }) => {
    const [from, to] = [Number(searchParams.get('from')), Number(searchParams.get('to'))]
    if (pathname.endsWith('/diff')) return { data: { from, to, changes: from === to ? [] : [{ path: 'budget', from, to }] } }
    if (!pathname.endsWith('/at')) return null
    const revision = Number(searchParams.get('revision'))
    return { data: { revision, at: '2025-01-05T14:00:00.000Z', state: { budget: revision }, status_key: 3, status_reasons: [] } }
  }
  const compared = () => screen.findByRole('dialog', { name: 'Compare two revisions' })

  it('starts with the last two, and stands in the address', async () => {
    serveLog(three, answers)
    const { search } = renderLog()
    await screen.findByTestId('log-row-3')
    await userEvent.click(screen.getByRole('button', { name: 'Compare revisions' }))
    const open = await compared()
    expect(search()).toEqual({ log_from: 2, log_to: 3 })
    await userEvent.selectOptions(within(open).getByLabelText('From'), '1 · Jan 05, 2025 14:01 · Ada Hassan')
    await waitFor(() => expect(screen.getByTestId('log-change-budget')).toHaveTextContent('Budget1.003.00'))
    expect(search()).toEqual({ log_from: 1, log_to: 3 })
    await userEvent.click(within(open).getByRole('button', { name: 'Swap the two' }))
    await waitFor(() => expect(screen.getByTestId('log-change-budget')).toHaveTextContent('Budget3.001.00'))
    await userEvent.keyboard('{Escape}')
    expect(search()).toEqual({})
  })

  it('opens from a link, and says when there is no difference', async () => {
    serveLog(three, answers)
    renderLog({ log_from: 2, log_to: 2 })
    expect(await within(await compared()).findByText('No difference in content')).toBeInTheDocument()
  })
})
