import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { listCampaigns } from '#contract/campaign-list'
import { pauseCampaign } from '#contract/campaign'
import { signOut } from '#contract/session'
import { accessToken, clearTokens, storeGrant } from '@/session/token-store'
import { guardUnsaved } from '@/lib/unsaved'
import { listRowWith, pageOf, refusal, signedInServer, type FakeServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const tokenOf = (user: string, space: string, of = '') =>
  [
    'e30',
    btoa(JSON.stringify({ sub: user, space, of }))
      .replaceAll('+', '-')
      .replaceAll('/', '_'),
    'sig',
  ].join('.')

/** Simulates another tab: it stores a session, and this tab receives the event. */
const elsewhere = (change: () => void) =>
  act(() => {
    change()
    window.dispatchEvent(new StorageEvent('storage', { key: 'DSP_AUTH_TOKEN' }))
  })
const signInElsewhere = (user: string, space: string, of = '') =>
  elsewhere(() => storeGrant({ access_token: tokenOf(user, space, of), expires_in: 3600, space_id: space }, Date.now()))

let server: FakeServer
beforeEach(() => {
  server = signedInServer()
  storeGrant({ access_token: tokenOf('ada', 'space-1'), expires_in: 3600, space_id: 'space-1' }, Date.now())
  server.on(listCampaigns, () => pageOf([listRowWith()]))
  server.on(pauseCampaign, () => ({ id: 'campaign-1', status_key: 41, status_reasons: [], revision: 4, position: '9' }))
})

async function open() {
  const page = renderRoute('/campaigns')
  await screen.findByRole('link', { name: 'Autumn' })
  return page
}
async function pause() {
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Autumn' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Pause' }))
}

describe('a tab after another tab changed the session', () => {
  it.each([
    ['to another user', 'bola', 'space-2'],
    ['to another account of the same user', 'ada', 'space-2'],
  ])('shows a notice and sends no command after a change %s', async (_, user, space) => {
    await open()
    signInElsewhere(user, space)
    const notice = await screen.findByRole('alert')
    expect(notice).toHaveTextContent('The session was changed in another tab')
    expect(notice).toHaveTextContent('Ada Nile, Nile Retail')
    const before = server.asked.length
    await pause()
    expect(await screen.findByText(/Nothing was sent/)).toBeInTheDocument()
    expect(server.asked).toHaveLength(before)
  })

  it('reloads on request', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
    onTestFinished(() => reload.mockRestore())
    await open()
    signInElsewhere('bola', 'space-2')
    await userEvent.click(await screen.findByRole('button', { name: 'Reload' }))
    expect(reload).toHaveBeenCalledOnce()
  })

  it('continues after a token refresh or a new sign-in of the same user in the other tab', async () => {
    await open()
    signInElsewhere('ada', 'space-1', 'refresh')
    await pause()
    await waitFor(() => expect(server.calls(pauseCampaign)).toHaveLength(1))
    signInElsewhere('bola', 'space-2')
    await screen.findByRole('button', { name: 'Reload' })
    signInElsewhere('ada', 'space-1', 'again')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Reload' })).toBeNull())
  })

  it('sends its user and account with every call, and shows a refusal by the server as the notice', async () => {
    await open()
    server.on(pauseCampaign, () => refusal(1420, 409, [{ path: 'X-Placard-Identity', code: 1420, message: '' }]))
    await pause()
    expect(await screen.findByText('The session was changed in another tab')).toBeVisible()
    expect(server.calls(pauseCampaign)[0]?.headers.get('X-Placard-Identity')).toBe('ada space-1')
  })

  it('opens the sign-in page when the other tab signed out and there are no unsaved changes', async () => {
    const { address } = await open()
    elsewhere(clearTokens)
    await waitFor(() => expect(address()).toBe('/auth/login'))
  })

  it('keeps unsaved input when the other tab signed out, and shows a notice', async () => {
    onTestFinished(guardUnsaved({ holds: () => true, ask: async () => false }))
    await open()
    elsewhere(clearTokens)
    expect(await screen.findByRole('alert')).toHaveTextContent('You signed out in another tab')
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeVisible()
  })

  it('does not end the session of another user by "Log out"', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
    onTestFinished(() => reload.mockRestore())
    await open()
    signInElsewhere('bola', 'space-2')
    await userEvent.click(screen.getByRole('button', { name: /^User menu: Ada Nile/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Log out' }))
    expect(reload).toHaveBeenCalledOnce()
    expect(server.calls(signOut)).toHaveLength(0)
    expect(accessToken()).toBe(tokenOf('bola', 'space-2'))
  })
})

it('a tab that has not loaded its user sends no identity', async () => {
  await open()
  expect(server.asked[0]?.headers.get('X-Placard-Identity')).toBeNull()
})
