import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { accountDetails, adminSearch } from '#contract/accounts'
import { getCampaign } from '#contract/campaign'
import { listCampaigns } from '#contract/campaign-list'
import { readPicture } from '#contract/profile'
import { getUser, switchAccount } from '#contract/session'
import { accountWith, foundAccount, foundCampaign } from '@/test/account-fixture'
import { campaignWith } from '@/test/campaign-form'
import { pageOf, PERSON, refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const HOME = foundAccount({ space_id: 'space-1', space_name: 'DSP House', own: true })
const NILE = foundAccount({ space_id: 'space-2', space_name: 'Nile Travel' })
const SUMMER = foundCampaign({ space_id: 'space-2' })
type Found = {
  readonly accounts: readonly ReturnType<typeof foundAccount>[]
  readonly campaigns: readonly ReturnType<typeof foundCampaign>[]
}

const answer = ({ accounts, campaigns }: Found) => ({
  accounts: [...accounts],
  campaigns: [...campaigns],
  all: [...accounts, ...campaigns],
  campaigns_in_moderation_count: 0,
  registrants_in_moderation_count: 0,
})

async function open(
  role = 'WL_OWNER',
  results: (name: string) => Found = () => ({ accounts: [HOME, NILE], campaigns: [SUMMER] }),
  path = '/campaigns',
) {
  const server = signedInServer({ role })
  server.on(listCampaigns, () => pageOf([]))
  server.on(getCampaign, ({ params }) => campaignWith({ id: params['id'] ?? '', space_id: 'space-2' }))
  server.on(adminSearch, ({ body }) => answer(results((body as { name: string }).name)))
  let space = 'space-1'
  server.on(getUser, () => ({ ...PERSON, roles: [role], role_key: role, space_id: space, space_name: space }))
  server.on(switchAccount, ({ params }) => {
    space = params['id'] ?? ''
    return { access_token: `for ${space}`, expires_in: 3600, space_id: space }
  })
  const page = renderRoute(path)
  await screen.findByRole('button', { name: /^Search…/ })
  await userEvent.keyboard('/')
  const drawer = await screen.findByRole('dialog', { name: 'Search accounts and campaigns' })
  return { ...page, server, drawer }
}
const type = (text: string) => userEvent.type(screen.getByRole('searchbox', { name: 'Search accounts and campaigns' }), text)

describe('the search drawer', () => {
  beforeEach(() => localStorage.removeItem('DSP_SINGLE_KEYS'))

  // covers SEARCH-01
  it('names the white-label in its search box, which has the focus', async () => {
    await open()
    expect(screen.getByPlaceholderText(/^Search accounts and campaigns of \S/)).toHaveFocus()
  })

  // covers SEARCH-03
  it('shows accounts beside campaigns before anything is typed', async () => {
    const { drawer } = await open()
    expect(await within(drawer).findByRole('region', { name: 'Accounts' })).toHaveTextContent('Nile Travel')
    expect(within(drawer).getByRole('region', { name: 'Campaigns' })).toHaveTextContent('Summer in Cairo')
  })

  // covers SEARCH-05
  it('flags the own account', async () => {
    const { drawer } = await open()
    const own = await within(drawer).findByRole('button', { name: /DSP House/ })
    expect(own).toHaveTextContent('Your account')
    expect(within(drawer).getByRole('button', { name: /^NT ?Nile Travel|Nile Travel Ada/ })).not.toHaveTextContent('Your account')
  })

  // covers SEARCH-06
  it('says that there are no accounts yet', async () => {
    const { drawer } = await open('WL_OWNER', () => ({ accounts: [], campaigns: [SUMMER] }))
    expect(await within(drawer).findByText('No accounts yet')).toBeVisible()
  })

  // covers SEARCH-07
  it('says that there are no campaigns yet', async () => {
    const { drawer } = await open('WL_OWNER', () => ({ accounts: [HOME], campaigns: [] }))
    expect(await within(drawer).findByText('No campaigns yet')).toBeVisible()
  })

  // covers SEARCH-02
  // covers SEARCH-26
  // covers CONST-12
  it('asks once, 300 ms after typing stops, with the name', async () => {
    const { server } = await open()
    await waitFor(() => expect(server.calls(adminSearch)).toHaveLength(1))
    const begun = Date.now()
    await type('nile')
    await waitFor(() => expect(server.calls(adminSearch)).toHaveLength(2))
    expect(Date.now() - begun).toBeGreaterThanOrEqual(300)
    expect(server.calls(adminSearch).at(-1)?.body).toEqual({ name: 'nile' })
  })

  // covers SEARCH-08
  // covers SEARCH-09
  // covers SEARCH-10
  // covers SEARCH-11
  it('shows tabs with counts under the query', async () => {
    const { drawer } = await open()
    await type('nile')
    expect(await within(drawer).findByRole('heading', { name: 'Search results for nile' })).toBeVisible()
    expect(
      within(drawer)
        .getAllByRole('tab')
        .map(({ textContent }) => textContent),
    ).toEqual(['All (3)', 'Accounts (2)', 'Campaigns (1)'])
    await userEvent.click(within(drawer).getByRole('tab', { name: 'Campaigns (1)' }))
    expect(within(drawer).getByRole('tabpanel')).toHaveTextContent('Summer in Cairo')
    expect(within(drawer).getByRole('tabpanel')).not.toHaveTextContent('DSP House')
  })

  it('names the query of the rows that it shows while the next answer is on its way', async () => {
    const { drawer, server } = await open()
    await type('nile')
    await within(drawer).findByRole('heading', { name: 'Search results for nile' })
    let reply = () => {}
    server.on(adminSearch, async () => {
      await new Promise<void>((resolve) => (reply = resolve))
      return answer({ accounts: [], campaigns: [SUMMER] })
    })
    await type(' tours')
    await waitFor(() => expect(server.calls(adminSearch).at(-1)?.body).toEqual({ name: 'nile tours' }))
    expect(within(drawer).getByRole('heading', { name: 'Search results for nile' })).toBeVisible()
    expect(within(drawer).getByRole('tab', { name: 'All (3)' }).closest('[aria-busy="true"]')).not.toBeNull()
    reply()
    expect(await within(drawer).findByRole('heading', { name: 'Search results for nile tours' })).toBeVisible()
    expect(within(drawer).getByRole('tab', { name: 'All (1)' }).closest('[aria-busy="true"]')).toBeNull()
  })

  // covers SEARCH-12
  // covers SEARCH-13
  // covers SEARCH-14
  it('says on each tab that nothing was found', async () => {
    const { drawer } = await open('WL_OWNER', (name) => ({ accounts: name === '' ? [HOME] : [], campaigns: [] }))
    await type('zzz')
    expect(await within(drawer).findByText('Nothing matches your search')).toBeVisible()
    await userEvent.click(within(drawer).getByRole('tab', { name: 'Accounts (0)' }))
    expect(within(drawer).getByText('No account matches your search')).toBeVisible()
    await userEvent.click(within(drawer).getByRole('tab', { name: 'Campaigns (0)' }))
    expect(within(drawer).getByText('No campaign matches your search')).toBeVisible()
  })

  // covers SEARCH-15
  // covers SEARCH-16
  it('switches into a picked account by keyboard, opens its campaigns, and says whose they are', async () => {
    const { server, address, drawer } = await open('WL_OWNER', undefined, '/reports')
    expect(address()).toMatch(/^.reports/)
    await within(drawer).findByRole('button', { name: /Nile Travel Ada/ })
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    await waitFor(() => expect(server.calls(switchAccount)[0]?.params).toEqual({ id: 'space-2' }))
    expect(await screen.findByText('You act in space-2')).toBeVisible()
    await waitFor(() => expect(address()).toBe('/campaigns'))
    expect(localStorage.getItem('DSP_SPACE_ID')).toBe('space-2')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await userEvent.click(screen.getByRole('button', { name: 'Back to my account' }))
    await waitFor(() => expect(screen.queryByText('You act in space-2')).toBeNull())
    expect(localStorage.getItem('DSP_SPACE_ID')).toBe('space-1')
  })

  it('opens the first of all by Enter, also when it is pressed before the answer', async () => {
    const { server, address } = await open('WL_OWNER', (name) => ({
      accounts: name === '' ? [HOME] : [NILE, HOME],
      campaigns: [SUMMER],
    }))
    await type('nil{Enter}')
    await waitFor(() => expect(server.calls(switchAccount)[0]?.params).toEqual({ id: 'space-2' }))
    await waitFor(() => expect(address()).toBe('/campaigns'))
  })

  it('goes by Down to the first result of the answer, not to one of an earlier query, when it is pressed before the answer', async () => {
    const { server, drawer } = await open('WL_OWNER', (name) => ({ accounts: name === '' ? [HOME] : [NILE], campaigns: [] }))
    await within(drawer).findByRole('button', { name: /DSP House/ })
    await type('nil{ArrowDown}')
    await waitFor(() => expect(document.activeElement).toHaveTextContent('Nile Travel'))
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(server.calls(switchAccount)[0]?.params).toEqual({ id: 'space-2' }))
  })

  it('asks why, where the white-label wants a reason, and switches with the answer or not at all', async () => {
    const { server, drawer, address } = await open()
    const bodies: unknown[] = []
    server.on(switchAccount, ({ body }) => {
      bodies.push(body)
      const { reason } = body as { reason?: string }
      if (reason === undefined) return refusal(2, 400, [{ path: 'reason', code: 2, message: '' }])
      return { access_token: 'for space-2', refresh_token: 'r2', expires_in: 3600, space_id: 'space-2' }
    })
    const pick = async () => userEvent.click(await within(drawer).findByRole('button', { name: /Nile Travel Ada/ }))
    await pick()
    const asked = await screen.findByRole('dialog', { name: 'Why do you act in this account?' })
    await userEvent.click(within(asked).getByRole('button', { name: 'Switch' }))
    expect(await within(asked).findByText('This field is required')).toBeVisible()
    await userEvent.type(within(asked).getByLabelText('Reason'), ' Ticket 7 {Enter}')
    await waitFor(() => expect(bodies).toEqual([{}, { reason: 'Ticket 7' }]))
    await waitFor(() => expect(address()).toBe('/campaigns'))
    expect(localStorage.getItem('DSP_SPACE_ID')).toBe('space-2')
  })

  it('stays in the account when the user gives up saying why', async () => {
    const { server, drawer } = await open()
    server.on(switchAccount, () => refusal(2, 400, [{ path: 'reason', code: 2, message: '' }]))
    await userEvent.click(await within(drawer).findByRole('button', { name: /Nile Travel Ada/ }))
    const asked = await screen.findByRole('dialog', { name: 'Why do you act in this account?' })
    await userEvent.click(within(asked).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.calls(switchAccount)).toHaveLength(1)
    expect(localStorage.getItem('DSP_SPACE_ID')).toBe('space-1')
  })

  it('leads to the details of an account without switching into it', async () => {
    const { server, drawer } = await open()
    const link = await within(drawer).findByRole('link', { name: 'Details of Nile Travel' })
    expect(link).toHaveAttribute('href', `/admin/user/details/${NILE.user_id}`)
    expect(within(drawer).queryByRole('link', { name: 'Details of DSP House' })).toBeNull()
    expect(server.calls(switchAccount)).toHaveLength(0)
  })

  // covers SEARCH-17
  // covers SEARCH-18
  it('switches into the account of a picked campaign and opens the campaign', async () => {
    const { server, address, drawer } = await open()
    await userEvent.click(await within(drawer).findByRole('button', { name: /Summer in Cairo/ }))
    await waitFor(() => expect(server.calls(switchAccount)[0]?.params).toEqual({ id: 'space-2' }))
    await waitFor(() => expect(address()).toBe('/campaign/edit/campaign-1?tab=basicInfo'))
  })

  // covers SHELL-17
  // covers SHELL-20
  it('closes by Escape and by a click beside inputs and buttons, and returns the focus', async () => {
    const { drawer } = await open()
    await userEvent.click(within(drawer).getByRole('searchbox'))
    expect(drawer).toBeVisible()
    await userEvent.click(await within(drawer).findByRole('heading', { name: 'Accounts' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole('button', { name: /^Current account/ })).toHaveFocus()
    await userEvent.click(screen.getByRole('button', { name: /^Current account/ }))
    await screen.findByRole('dialog')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  // covers SHELL-15
  // covers SHELL-16
  it('opens from the bar, which shows the picture or initials, the name and the owner of the current account', async () => {
    const { server, drawer } = await open()
    server.on(accountDetails, () => accountWith({ space_id: 'space-2', first_name: 'Ada', last_name: 'Hassan' }))
    const bar = () => screen.getByRole('button', { name: /^Current account/, hidden: true })
    expect(bar()).toHaveTextContent(/^Current account: S?space-1 Ada Nile Own$/i)
    await userEvent.click(await within(drawer).findByRole('button', { name: /Nile Travel Ada/ }))
    await waitFor(() => expect(bar()).toHaveTextContent(/^Current account: S?space-2 Ada Hassan$/i))
  })

  // covers SHELL-14
  it('opens from the bar, which shows the picture of the account where there is one', async () => {
    vi.spyOn(HTMLImageElement.prototype, 'complete', 'get').mockReturnValue(true)
    vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(28)
    const named = vi.spyOn(URL, 'createObjectURL')
    const server = signedInServer({ role: 'WL_OWNER' })
    server.on(getUser, () => ({ ...PERSON, roles: ['WL_OWNER'], role_key: 'WL_OWNER', profile_image: { picture_id: 'own' } }))
    server.on(readPicture, () => new Blob(['a picture']))
    renderRoute('/campaigns')
    const bar = await screen.findByRole('button', { name: /^Current account/ })
    await waitFor(() => expect(bar.querySelector('img')).not.toBeNull())
    expect(named.mock.results.map(({ value }) => value)).toContain(bar.querySelector('img')?.getAttribute('src'))
    expect(new Set(server.calls(readPicture).map(({ params }) => params['id']))).toEqual(new Set(['own']))
  })

  // covers SHELL-18
  // covers SHELL-19
  // covers ROLE-13
  it('opens for advertisers too, but not while they type, nor for moderators', async () => {
    await open('USER_OWNER', () => ({ accounts: [HOME], campaigns: [] }))
    expect(screen.getByPlaceholderText(/^Search your campaigns/)).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await userEvent.type(await screen.findByRole('searchbox'), '/')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('the search drawer is absent for moderators', async () => {
    const server = signedInServer({ role: 'WL_MODERATOR' })
    server.on(listCampaigns, () => pageOf([]))
    renderRoute('/campaigns')
    await screen.findByRole('button', { name: /^Search…/ })
    await userEvent.keyboard('/')
    expect(screen.queryByRole('button', { name: /^Current account/ })).toBeNull()
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
