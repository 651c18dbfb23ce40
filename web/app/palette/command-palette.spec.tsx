import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { adminListCampaigns, listCampaigns } from '#contract/campaign-list'
import { getCampaign } from '#contract/campaign'
import { chooseLanguage } from '@/i18n/setup'
import { listRowWith, pageOf, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { setScheme } from '@/theme/color-scheme'
import { campaignWith } from '@/test/campaign-form'

const ID = '0b7c7a52-8a5e-4f0e-9d4c-1f2e3d4c5b6a'

async function open(address = '/campaigns', person: Parameters<typeof signedInServer>[0] = {}) {
  const server = signedInServer(person)
  server.on(getCampaign, ({ params }) =>
    campaignWith({
      id: params['id'] ?? '',
      name: 'Autumn',
      bidding_strategy: { ...campaignWith({}).bidding_strategy, type: 'awareness', goal: 'MAXIMIZED_REACH' },
    }),
  )
  const page = renderRoute(address)
  const button = await screen.findByRole('button', { name: /^Search…/ })
  await userEvent.keyboard('{Control>}k{/Control}')
  const palette = await screen.findByRole('dialog', { name: 'Search and commands' })
  return { ...page, server, button, palette }
}
const offered = () => screen.getAllByRole('option').map(({ textContent }) => textContent)
const choose = async (name: string | RegExp) => userEvent.click(await screen.findByRole('option', { name }))
const reopen = async () => {
  await userEvent.keyboard('{Control>}k{/Control}')
  return screen.findByRole('dialog', { name: 'Search and commands' })
}

describe('the command palette', () => {
  afterEach(async () => {
    setScheme('system')
    await chooseLanguage('en')
  })

  it('opens by its button too, closes by Escape or its shortcut, and restores focus', async () => {
    const { button } = await open()
    expect(screen.getByRole('combobox')).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await userEvent.click(button)
    await screen.findByRole('dialog', { name: 'Search and commands' })
    await userEvent.keyboard('{Control>}k{/Control}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(button).toHaveFocus()
    const search = screen.getByRole('searchbox')
    search.focus()
    await reopen()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(search).toHaveFocus())
  })

  it('offers the pages and objectives of advertisers to an advertiser', async () => {
    await open('/campaigns', { audio: false })
    expect(offered()).toEqual([
      'Scheduled changes',
      'Save as a new view…',
      'Search accounts and campaigns/',
      'Campaigns',
      'Audience',
      'Events',
      'Reports',
      'Billing',
      'Team',
      'Settings',
      'New campaign: Awareness',
      'New campaign: Consideration',
      'New campaign: Conversion',
      'Language: Русский',
      'Theme: Light',
      'Theme: Dark',
      'Keyboard shortcuts?',
      'Log out',
    ])
  })

  it('offers the queue to a moderator, and no actions of advertisers', async () => {
    await open('/campaigns', { role: 'WL_MODERATOR' })
    expect(offered()).toEqual(expect.arrayContaining(['All campaigns', 'Moderation']))
    expect(offered().filter((label) => label?.startsWith('New campaign'))).toEqual([])
  })

  it('finds entries by any words of a name, and works with the keyboard alone', async () => {
    const { address } = await open()
    await userEvent.keyboard('conv new')
    expect(offered()).toEqual(['New campaign: Conversion'])
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(address()).toContain('/campaign/create?'))
    expect(address()).toContain('type=conversion')
  })

  it.each([
    ['USER_OWNER', listCampaigns, 'Autumn in Giza'],
    ['WL_OWNER', adminListCampaigns, 'Autumn in GizaNile Retail'],
  ] as const)('finds campaigns of %s by name, with one request after a pause in typing', async (role, endpoint, shown) => {
    const { server, address } = await open('/moderation', { role })
    server.on(endpoint, () => pageOf([listRowWith({ id: ID, name: 'Autumn in Giza' })]))
    const before = server.calls(endpoint).length
    await userEvent.keyboard('giza')
    const found = await screen.findByRole('option', { name: /Autumn in Giza/ })
    expect(found).toHaveTextContent(shown)
    expect(server.calls(endpoint)).toHaveLength(before + 1)
    expect(server.calls(endpoint).at(-1)?.body).toMatchObject({ name: 'giza', page: 0, pageSize: 5 })
    await userEvent.click(found)
    await waitFor(() => expect(address()).toContain(`/campaign/edit/${ID}`))
  })

  it('opens a campaign whose id is pasted', async () => {
    const { address } = await open()
    await userEvent.paste(` ${ID.toUpperCase()} `)
    await choose(`Open campaign ${ID}`)
    await waitFor(() => expect(address()).toContain(`/campaign/edit/${ID}`))
  })

  it('shows a message when nothing matches', async () => {
    const { palette } = await open()
    await userEvent.keyboard('zzz')
    expect(await within(palette).findByText('Nothing found')).toBeVisible()
  })

  it('offers the sections of the open campaign, which the shortcut help does not list', async () => {
    const { address } = await open(`/campaign/edit/${ID}?tab=basicInfo`)
    await choose('Targeting')
    await waitFor(() => expect(address()).toContain('tab=targeting'))
    await reopen()
    await choose(/^Keyboard shortcuts/)
    const help = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    expect(help).not.toHaveTextContent('Targeting')
    expect(help).toHaveTextContent('Search and commands')
    await waitFor(() => expect(help).toContainElement(document.activeElement as HTMLElement))
  })

  it('switches theme and language, and signs out', async () => {
    await open()
    await choose('Theme: Dark')
    await waitFor(() => expect(document.documentElement).toHaveClass('dark'))
    await reopen()
    await choose('Language: Русский')
    await screen.findByRole('button', { name: /^Поиск…/ })
    await userEvent.keyboard('{Control>}k{/Control}')
    await userEvent.click(await screen.findByRole('option', { name: 'Выйти' }))
    await waitFor(() => expect(localStorage.getItem('DSP_AUTH_TOKEN')).toBeNull())
  })

  it('lists recently used entries first', async () => {
    await open()
    await choose('New campaign: Consideration')
    await reopen()
    await userEvent.paste(ID)
    await choose(`Open campaign ${ID}`)
    await reopen()
    const recent = within(screen.getByRole('group', { name: 'Recent' })).getAllByRole('option')
    expect(recent.map(({ textContent }) => textContent)).toEqual([`Open campaign ${ID}`, 'New campaign: Consideration'])
  })

  it('stays closed over a modal dialog, and for a single letter', async () => {
    signedInServer()
    renderRoute('/campaigns')
    await userEvent.click((await screen.findAllByRole('button', { name: 'New campaign' }))[0] ?? document.body)
    await screen.findByRole('dialog')
    await userEvent.keyboard('{Control>}k{/Control}')
    expect(screen.queryByRole('dialog', { name: 'Search and commands' })).toBeNull()
    await userEvent.keyboard('{Escape}')
    await userEvent.keyboard('k')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
