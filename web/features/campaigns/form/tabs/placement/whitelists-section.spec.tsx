import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { getCampaign, updateCampaign } from '#contract/campaign'
import { campaignWhitelists } from '#contract/whitelists'
import { refusal, signedInServer } from '@/test/fake-server'
import { fakeUploads, fileOf } from '@/test/fake-uploads'
import { renderRoute } from '@/test/render-route'
import * as files from '@/lib/save-file'
import { campaignWith } from '@/test/campaign-form'
import { nameOf } from './whitelist-queries.ts'

const listOf = (name: string, size = 2048) => ({ name, size, created_at: '2026-05-04T09:30:00.000Z' })
const CSV = 'text/csv'

type Opened = {
  readonly names?: readonly string[]
  readonly role?: string
  readonly patch?: Partial<Campaign>
  readonly fails?: boolean
}

/** The Placement tab of a campaign with these lists. The campaign counts a revision when it has its first list or loses its last. */
async function open({ names = [], role = 'USER_OWNER', patch = {}, fails = false }: Opened = {}) {
  const server = signedInServer({ role })
  const wire = fakeUploads()
  const bidding_strategy = { ...campaignWith({}).bidding_strategy, type: 'awareness', goal: 'MAXIMIZED_REACH' }
  let lists = names.map((name) => listOf(name))
  let stored = campaignWith({ name: 'Autumn', country: 'EGY', bidding_strategy, has_whitelist: names.length > 0, ...patch })
  const keep = (next: typeof lists) => {
    lists = next
    const has_whitelist = lists.length > 0
    if (has_whitelist !== stored.has_whitelist) stored = campaignWith({ ...stored, has_whitelist, revision: stored.revision + 1 })
    return lists
  }
  server.on(getCampaign, () => stored)
  server.on(campaignWhitelists.list, () => (fails ? refusal(1, 500) : lists))
  server.on(campaignWhitelists.remove, ({ params }) =>
    keep(lists.filter(({ name }) => name !== decodeURIComponent(params['name'] ?? ''))),
  )
  server.on(updateCampaign, ({ body }) => {
    const { revision, ...input } = body as Campaign
    if (revision !== stored.revision) return refusal(140, 409)
    stored = campaignWith({ ...stored, ...input, revision: stored.revision + 1 })
    return { ...stored, position: '9' }
  })
  renderRoute('/campaign/edit/campaign-1?tab=placement')
  await screen.findByRole('group', { name: 'Whitelists' })
  return {
    server,
    wire,
    stored: () => stored,
    /** Answers the upload that is on its way. */
    taken: async (name: string) => wire.answer(keep([...lists, listOf(name)])),
  }
}
const table = () => screen.findByRole('table', { name: 'Whitelists' })
const rows = async () =>
  within(await table())
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent)
const removal = (name: string) => screen.getByRole('button', { name: `Remove ${name}` })
const upload = () => screen.findByLabelText<HTMLInputElement>('Upload a whitelist', { selector: 'input' })
const choose = async (file: File) => userEvent.upload(await upload(), file, { applyAccept: false })
const problem = () => within(screen.getByRole('group', { name: 'Upload a whitelist' })).getByRole('alert')
const question = (name: string) => screen.findByRole('alertdialog', { name: `Remove the whitelist ${name}?` })
const answer = async (name: string, text: string) =>
  userEvent.click(within(await question(name)).getByRole('button', { name: text }))

describe('whitelists of a campaign', () => {
  it('whitelists of a campaign are listed with their size and when they came', async () => {
    await open({ names: ['sites', 'apps'] })
    expect(await rows()).toEqual(['sites', 'apps'])
    expect(within(await table()).getByRole('row', { name: /^sites/ })).toHaveTextContent(/2 KB.*May 04, 2026 \d\d:30/)
  })

  it('whitelists of a campaign are walked through by the arrow keys, in the same column of buttons', async () => {
    await open({ names: ['sites', 'apps'] })
    await table()
    removal('sites').focus()
    await userEvent.keyboard('{ArrowDown}')
    expect(removal('apps')).toHaveFocus()
    await userEvent.keyboard('{ArrowUp}')
    expect(removal('sites')).toHaveFocus()
  })

  it('whitelists of a campaign are asked for again after a failure', async () => {
    const { server } = await open({ fails: true })
    const section = within(screen.getByRole('group', { name: 'Whitelists' }))
    const retry = await section.findByRole('button', { name: 'Try again' })
    server.on(campaignWhitelists.list, () => [listOf('late')])
    await userEvent.click(retry)
    expect(await rows()).toEqual(['late'])
    expect(screen.getByRole('group', { name: 'Whitelists' })).toHaveFocus()
  })

  it('whitelists of a campaign are downloaded as they were uploaded, whatever they are called', async () => {
    const { server } = await open({ names: ['a[1]'] })
    const saved: [Blob, string][] = []
    const spy = vi.spyOn(files, 'saveFile').mockImplementation((file, name) => void saved.push([file, name]))
    onTestFinished(() => spy.mockRestore())
    server.on(campaignWhitelists.download, () => new Blob([btoa('news.example\n')]))
    await table()
    await userEvent.click(screen.getByRole('button', { name: 'Download a[1]' }))
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(server.calls(campaignWhitelists.download)[0]?.params).toMatchObject({ name: 'a%5B1%5D' })
    expect([await saved[0]?.[0].text(), saved[0]?.[1]]).toEqual(['news.example\n', 'a[1].csv'])
  })

  it('whitelists of a campaign can be added once the campaign has been saved', async () => {
    signedInServer()
    renderRoute('/campaign/create?tab=placement&type=awareness')
    expect(await screen.findByText('Whitelists can be added once the campaign has been saved.')).toBeVisible()
    expect(screen.queryByLabelText('Upload a whitelist')).toBeNull()
  })

  it.each([
    ['an auditor', { role: 'AUDITOR' }],
    ['everybody, once the campaign is archived', { patch: { status_key: 5 } }],
  ])('whitelists of a campaign are only for reading to %s', async (_, who) => {
    await open({ names: ['sites'], ...who })
    expect(await rows()).toEqual(['sites'])
    expect(screen.getByRole('button', { name: 'Download sites' })).toBeEnabled()
    expect(screen.queryByRole('button', { name: 'Remove sites' })).toBeNull()
    expect(screen.queryByLabelText('Upload a whitelist')).toBeNull()
  })
})

describe('uploading a whitelist', () => {
  it('says its limits before, and calls the list as its file', async () => {
    const { wire, taken } = await open()
    expect(await screen.findByText(/one domain or bundle ID per line, under 10 MB, at most 5/)).toBeVisible()
    const file = fileOf('sites.csv', CSV)
    await choose(file)
    await wire.progress(1, 2)
    expect(screen.getByRole('progressbar', { name: 'Uploading sites.csv' })).toHaveAttribute('aria-valuenow', '50')
    expect(wire.sent()).toEqual(['POST /v1/campaign/campaign-whitelist/campaign-1'])
    expect(await wire.fields()).toMatchObject({ name: 'sites' })
    await taken('sites')
    expect(await rows()).toEqual(['sites'])
  })

  // covers CAM-WLST-04
  it('uploading a whitelist that is too large is not even begun', async () => {
    const { wire } = await open()
    await choose(fileOf('big.csv', CSV, 10_485_760))
    await waitFor(() => expect(problem()).toHaveTextContent('big.csv: File size should be less than 10MB'))
    expect(wire.sent()).toEqual([])
    await choose(fileOf('big.csv', CSV, 10_485_759))
    expect(wire.sent()).toHaveLength(1)
  })

  it('uploading a whitelist that is refused says why, and another file can be chosen', async () => {
    const { wire } = await open()
    await choose(fileOf('film.csv', CSV))
    await wire.refuse(2, 'Invalid argument provided', [{ path: 'file', code: 2, message: 'x', key: 'whitelistText' }])
    await waitFor(() =>
      expect(problem()).toHaveTextContent('film.csv: A whitelist is UTF-8 text, one domain or bundle id per line'),
    )
    expect(await upload()).toBeEnabled()
  })

  it('uploading a whitelist is over, with a reason, when there are five', async () => {
    await open({ names: ['a', 'b', 'c', 'd', 'e'] })
    expect(await upload()).toBeDisabled()
    expect(screen.getByText('A campaign has at most 5 whitelists. Remove one to upload another.')).toBeVisible()
  })

  it('uploading a whitelist under a name that is taken adds a number', () => {
    const taken = ['sites', 'sites 2', 'a'].map((name) => listOf(name))
    expect(['sites.csv', 'a.txt', 'a[1].csv', 'b.c.csv', 'plain', '.csv', '...'].map((file) => nameOf(file, taken))).toEqual([
      'sites 3',
      'a 2',
      'a[1]',
      'b.c',
      'plain',
      '.csv',
      '...',
    ])
  })
})

describe('removing a whitelist', () => {
  // covers CAM-FORM-61
  it('asks first, by its name, and does nothing but after a yes', async () => {
    const { server } = await open({ names: ['sites', 'apps'] })
    await table()
    await userEvent.click(removal('sites'))
    expect(await question('sites')).toHaveTextContent('The file is deleted at once and cannot be restored.')
    await answer('sites', 'Cancel')
    await waitFor(() => expect(removal('sites')).toHaveFocus())
    expect(server.calls(campaignWhitelists.remove)).toEqual([])
    await userEvent.click(removal('sites'))
    await answer('sites', 'Remove')
    await waitFor(async () => expect(await rows()).toEqual(['apps']))
    expect(server.calls(campaignWhitelists.remove)).toHaveLength(1)
    expect(removal('apps')).toHaveFocus()
  })

  it('escapes its name on the way', async () => {
    const { server } = await open({ names: ['a[1]'] })
    await table()
    await userEvent.click(removal('a[1]'))
    await answer('a[1]', 'Remove')
    expect(await screen.findByText('No whitelists yet.')).toBeVisible()
    expect(server.calls(campaignWhitelists.remove)[0]?.params).toMatchObject({ name: 'a%5B1%5D' })
  })

  it('gives the focus to the row before when it was the last, and to the upload when it was the only one', async () => {
    await open({ names: ['sites', 'apps'] })
    await table()
    await userEvent.click(removal('apps'))
    await answer('apps', 'Remove')
    await waitFor(async () => expect(await rows()).toEqual(['sites']))
    expect(removal('sites')).toHaveFocus()
    await userEvent.click(removal('sites'))
    await answer('sites', 'Remove')
    await screen.findByText('No whitelists yet.')
    expect(await upload()).toHaveFocus()
  })

  it('removing a whitelist that is refused leaves it there', async () => {
    const { server } = await open({ names: ['sites'] })
    server.on(campaignWhitelists.remove, () => refusal(134, 409))
    await table()
    await userEvent.click(removal('sites'))
    await answer('sites', 'Remove')
    expect(await screen.findByText('Campaign status does not match the action')).toBeVisible()
    expect(await rows()).toEqual(['sites'])
  })
})

describe('input during an upload of a whitelist', () => {
  const type = async () => userEvent.type(screen.getByLabelText('Minimum OS version'), '9')
  const save = async () => userEvent.click(screen.getByRole('button', { name: 'Save & Next' }))

  it('stays after the first upload, and is saved without a question', async () => {
    const { stored, taken } = await open()
    await type()
    await choose(fileOf('sites.csv', CSV))
    await taken('sites')
    await table()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save & Next' })).toBeEnabled())
    expect(screen.getByLabelText('Minimum OS version')).toHaveValue('9')
    await save()
    await waitFor(() => expect(stored()).toMatchObject({ revision: 5, has_whitelist: true }))
    expect(stored().placement.min_os_version).toBe('9')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('stays after the last removal, and is saved without a question', async () => {
    const { stored } = await open({ names: ['sites'] })
    await table()
    await type()
    await userEvent.click(removal('sites'))
    await answer('sites', 'Remove')
    await screen.findByText('No whitelists yet.')
    expect(screen.getByLabelText('Minimum OS version')).toHaveValue('9')
    await save()
    await waitFor(() => expect(stored()).toMatchObject({ revision: 5, has_whitelist: false }))
    expect(stored().placement.min_os_version).toBe('9')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
