import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { listCampaigns } from '#contract/campaign-list'
import { getCampaign, updateCampaign } from '#contract/campaign'
import { getUser, refreshSession, signIn } from '#contract/session'
import { isSignedIn } from '@/session/token-store'
import { logOut } from '@/session/log-out'
import { signInFrom } from '@/session/sign-in-search'
import { listRowWith, PERSON, pageOf, refusal, signedInServer, type FakeServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { campaignWith } from '@/test/campaign-form'

const bidding_strategy = { ...campaignWith({}).bidding_strategy, type: 'awareness', goal: 'MAXIMIZED_REACH' }

let server: FakeServer
beforeEach(() => {
  server = signedInServer()
  server.on(listCampaigns, () => pageOf([listRowWith()]))
  server.on(getCampaign, () => campaignWith({ name: 'Autumn', country: 'EGY', bidding_strategy }))
})

const FORM = '/campaign/edit/campaign-1?tab=basicInfo'
const name = () => screen.getByLabelText('Campaign name')
const menuEntry = async () =>
  within(await screen.findByRole('navigation', { name: 'Main navigation' })).getByRole('link', { name: 'Campaigns' })
const question = () => screen.findByRole('alertdialog', { name: 'Leave without saving?' })
const answer = async (text: string) => userEvent.click(within(await question()).getByRole('button', { name: text }))

/** From the list, as somebody has filtered it, into a form with a change in it. */
async function change() {
  const page = renderRoute('/campaigns?q=aut')
  await userEvent.click(await screen.findByRole('link', { name: 'Autumn' }))
  await userEvent.type(await screen.findByLabelText('Campaign name'), ' 2027')
  expect(page.address()).toBe(FORM)
  return page
}

describe('leaving a form with changes', () => {
  // covers CAM-FORM-31 CAM-FORM-33
  it.each([
    ['by the menu', async () => userEvent.click(await menuEntry())],
    ['by Cancel', async () => userEvent.click(screen.getByRole('button', { name: 'Cancel' }))],
  ])('leaving %s asks first, and Stay leaves everything as it is', async (_, leave) => {
    const { address } = await change()
    await leave()
    await answer('Stay')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(address()).toBe(FORM)
    expect(name()).toHaveValue('Autumn 2027')
    await leave()
    expect(await question()).toBeVisible()
  })

  // covers CAM-FORM-34
  it('leaving a form with changes by Cancel leads to the list as it was left, by the menu to what was chosen there', async () => {
    const first = await change()
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await answer('Leave')
    await waitFor(() => expect(first.address()).toBe('/campaigns?q=aut'))
    await userEvent.click(await screen.findByRole('link', { name: 'Autumn' }))
    await userEvent.type(await screen.findByLabelText('Campaign name'), '!')
    await userEvent.click(await menuEntry())
    await answer('Leave')
    await waitFor(() => expect(first.address()).toBe('/campaigns'))
  })

  it('means the safe answer by Escape', async () => {
    const { address } = await change()
    await userEvent.click(await menuEntry())
    await question()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(address()).toBe(FORM)
  })
})

describe('other ways out of a form with changes', () => {
  it('another new campaign over an unsaved copy asks first', async () => {
    const page = renderRoute('/campaign/create?tab=basicInfo&replicatedId=campaign-1&type=awareness')
    await userEvent.type(await screen.findByLabelText('Campaign name'), ' 2027')
    act(() => void page.router.navigate({ to: '/campaign/create', search: { tab: 'basicInfo', type: 'awareness' } }))
    await answer('Stay')
    expect(name()).toHaveValue('Autumn - Copy 2027')
  })

  it('logging out asks first, and ends the session only after Leave', async () => {
    const { address } = await change()
    logOut()
    await answer('Stay')
    expect(name()).toHaveValue('Autumn 2027')
    expect(isSignedIn()).toBe(true)
    logOut()
    await answer('Leave')
    await waitFor(() => expect(address()).toBe('/auth/login'))
    expect(isSignedIn()).toBe(false)
  })
})

describe('a session that ends', () => {
  const expire = () => {
    server.on(updateCampaign, () => refusal(401, 401))
    server.on(refreshSession, () => refusal(5, 401))
  }
  const saveNow = async () => userEvent.click(await screen.findByRole('button', { name: 'Save & Next' }))
  const again = () => screen.findByRole('dialog', { name: 'Your session has ended' })
  const signInAs = async (id: string) => {
    server.on(signIn, () => ({ access_token: 'b', expires_in: 3600, space_id: 'space-1' }))
    server.on(getUser, () => ({ ...PERSON, id }))
    server.on(updateCampaign, () => ({
      ...campaignWith({ name: 'Autumn 2027', country: 'EGY', revision: 4, bidding_strategy }),
      position: '9',
    }))
    const dialog = within(await again())
    expect(dialog.getByLabelText('Username')).toHaveValue('ada@nile.example')
    expect(dialog.getByLabelText('Password')).toHaveFocus()
    await userEvent.type(dialog.getByLabelText('Password'), 'secret')
    await userEvent.click(dialog.getByRole('button', { name: 'Sign in' }))
  }

  it('keeps the form under a sign-in dialog, and the save goes through afterwards', async () => {
    const { address } = await change()
    expire()
    await saveNow()
    await signInAs('ada')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(address()).toBe(FORM)
    expect(name()).toHaveValue('Autumn 2027')
    await saveNow()
    expect(await screen.findByRole('heading', { level: 1, name: 'Autumn 2027' })).toBeVisible()
  })

  it('gives nothing of the form to another user', async () => {
    const { address } = await change()
    expire()
    await saveNow()
    await signInAs('eve')
    await waitFor(() => expect(address()).toBe('/campaigns'))
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('a form whose session ends can be left without saving', async () => {
    const { address } = await change()
    expire()
    await saveNow()
    await userEvent.click(within(await again()).getByRole('button', { name: 'Discard and leave' }))
    await waitFor(() => expect(address()).toBe('/auth/login'))
  })

  it('leads to sign in and back to the page where nothing was typed', async () => {
    const { address, queryClient } = renderRoute(FORM)
    await screen.findByLabelText('Campaign name')
    server.on(getCampaign, () => refusal(401, 401))
    expire()
    void queryClient.invalidateQueries()
    await waitFor(() => expect(address()).toContain('/auth/login?to='))
    server.on(getCampaign, () => campaignWith({ name: 'Autumn', country: 'EGY', bidding_strategy }))
    server.on(signIn, () => ({ access_token: 'b', expires_in: 3600, space_id: 'space-1' }))
    await userEvent.type(await screen.findByLabelText('Username'), 'ada@nile.example')
    await userEvent.type(screen.getByLabelText('Password'), 'secret')
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(address()).toBe(FORM))
    expect(await screen.findByLabelText('Campaign name')).toHaveValue('Autumn')
  })
})

describe('the page that sign-in returns to', () => {
  it.each([
    ['/campaign/edit/a?tab=targeting', '/campaign/edit/a?tab=targeting'],
    ['/campaigns', '/campaigns'],
    ['/', undefined],
    ['//evil.example/x', undefined],
    ['/\\evil.example', undefined],
    ['https://evil.example', undefined],
    ['javascript:alert(1)', undefined],
  ])('the page that sign-in returns to: %s: %s', (href, to) => {
    expect(signInFrom(href).to).toBe(to)
  })
})

describe('leaving a form without a question', () => {
  it('nothing is asked where nothing was changed', async () => {
    const { address } = renderRoute(FORM)
    await screen.findByLabelText('Campaign name')
    await userEvent.click(await menuEntry())
    await waitFor(() => expect(address()).toBe('/campaigns'))
  })

  it('nothing is asked by going to another section, which keeps what was typed', async () => {
    const { address } = await change()
    await userEvent.click(screen.getByRole('link', { name: /Geography/ }))
    await waitFor(() => expect(address()).toContain('tab=geography'))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await userEvent.click(screen.getByRole('link', { name: 'Campaign setup' }))
    expect(await screen.findByLabelText('Campaign name')).toHaveValue('Autumn 2027')
  })
})
