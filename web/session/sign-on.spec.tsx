import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listCampaigns } from '#contract/campaign-list'
import { endSession } from '#contract/profile'
import { signIn, signOut } from '#contract/session'
import { redeemSignOn, signOnOffers } from '#contract/single-sign-on'
import { REFUSALS } from '#domain/single-sign-on/admission'
import { fakeServer, pageOf, refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { accessToken, clearTokens, storeGrant } from './token-store.ts'

const ACME = { id: 'acme', name: 'Acme' }
const GRANT = { access_token: 'access', expires_in: 3600, space_id: 'space-1' }

let left: string[] = []
beforeEach(() => {
  clearTokens()
  left = []
  vi.spyOn(globalThis.location, 'assign').mockImplementation((url) => void left.push(String(url)))
})
afterEach(() => {
  vi.restoreAllMocks()
  globalThis.location.hash = ''
})

/** A server whose white-label has a provider, which the addresses of acme.example have to use. */
function withProvider(server = fakeServer()) {
  server.on(signOnOffers, ({ query }) => ({
    providers: [ACME],
    required: query.get('domain') === 'acme.example' ? ACME.id : null,
  }))
  return server
}

describe('the sign-in page with an identity provider', () => {
  it('leads to the provider, and names the page to open afterwards', async () => {
    withProvider()
    renderRoute('/auth/login?to=%2Freports')
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in with Acme' }))
    expect(left).toEqual(['/v1/oauth/sign-on/start/acme?to=%2Freports'])
  })

  it('leads there once an address of a domain without passwords is typed, and for no other address', async () => {
    withProvider()
    renderRoute('/auth/login')
    await screen.findByRole('button', { name: 'Sign in with Acme' })
    await userEvent.type(screen.getByLabelText('Username'), 'ada@nile.example')
    await userEvent.tab()
    expect(left).toEqual([])
    await userEvent.clear(screen.getByLabelText('Username'))
    await userEvent.type(screen.getByLabelText('Username'), 'ada@acme.example')
    await userEvent.tab()
    await waitFor(() => expect(left).toEqual(['/v1/oauth/sign-on/start/acme?to=%2F']))
  })

  it('leads there for a password that is switched off', async () => {
    const server = fakeServer()
    server.on(signIn, () => ({ ...refusal(164, 403), refuse: { ...refusal(164, 403).refuse, data: { sign_on: ACME } } }))
    renderRoute('/auth/login')
    await userEvent.type(await screen.findByLabelText('Username'), 'ada@acme.example')
    await userEvent.type(screen.getByLabelText('Password'), 'right{Enter}')
    await waitFor(() => expect(left).toEqual(['/v1/oauth/sign-on/start/acme?to=%2F']))
  })

  it('exchanges the code in its address for a session, once, and takes it out of the address', async () => {
    const server = withProvider(signedInServer())
    clearTokens()
    const codes: unknown[] = []
    server.on(redeemSignOn, ({ body }) => {
      codes.push(body)
      return { ...GRANT, to: '/campaigns' }
    })
    server.on(listCampaigns, () => pageOf([]))
    globalThis.location.hash = '#sign-on=a-code'
    const { address } = renderRoute('/auth/login')
    await waitFor(() => expect(address()).toMatch(/^\/campaigns/))
    expect(codes).toEqual([{ code: 'a-code' }])
    expect(accessToken()).toBe('access')
    expect(globalThis.location.hash).toBe('')
  })

  it('ends the session that was proved at the provider, by its id in the old token', async () => {
    const server = withProvider(signedInServer())
    const token = ['e30', btoa(JSON.stringify({ sub: 'ada', space: 'space-1', sid: 'session-1' })), 'sig'].join('.')
    storeGrant({ access_token: token, expires_in: 3600, space_id: 'space-1' }, Date.now())
    server.on(redeemSignOn, () => ({ ...GRANT, to: '/campaigns' }))
    server.on(listCampaigns, () => pageOf([]))
    server.on(endSession, () => ({ position: '1' }))
    globalThis.location.hash = '#sign-on=a-code'
    renderRoute('/auth/login#sign-on=a-code')
    await waitFor(() => expect(server.calls(endSession).map(({ params }) => params['id'])).toEqual(['session-1']))
    expect(server.calls(endSession)[0]?.headers.get('Authorization')).toBe('Bearer access')
    expect(server.calls(redeemSignOn)[0]?.headers.get('X-Placard-Session')).toBe('cookie')
  })

  it('says that a code did not work', async () => {
    const server = withProvider()
    server.on(redeemSignOn, () => refusal(5, 401))
    globalThis.location.hash = '#sign-on=a-code'
    renderRoute('/auth/login')
    expect(await screen.findByRole('alert')).toHaveTextContent('That took too long, or was finished before.')
  })

  it.each(REFUSALS)('the sign-in page with an identity provider has a sentence of its own for the reason %s', async (reason) => {
    withProvider()
    renderRoute(`/auth/login?sign_on=${reason}`)
    const sentence = (await screen.findByRole('alert')).textContent
    expect(sentence).toMatch(/^[A-Z].{20,}\.$/)
    expect(sentence).not.toContain('signOn')
  })

  it('shows nothing of it where the white-label has no provider', async () => {
    fakeServer().on(signOnOffers, () => ({ providers: [], required: null }))
    renderRoute('/auth/login?sign_on=whatever')
    expect(await screen.findByLabelText('Username')).toBeVisible()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.queryByRole('button', { name: /Sign in with/ })).toBeNull()
  })
})

it('Log out leads to the end of the session at the provider', async () => {
  const server = signedInServer()
  server.on(signOut, () => ({ end_url: 'https://id.acme.example/logout?id_token_hint=x' }))
  renderRoute('/profile')
  const main = within(await screen.findByRole('main'))
  await userEvent.click(await main.findByRole('button', { name: 'Log out' }))
  await waitFor(() => expect(left).toEqual(['https://id.acme.example/logout?id_token_hint=x']))
})
