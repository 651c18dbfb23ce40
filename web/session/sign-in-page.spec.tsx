import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { listCampaigns } from '#contract/campaign-list'
import { beginPasskeySignIn, signIn } from '#contract/session'
import { whitelabelInfo } from '#contract/white-label-info'
import { fakeServer, INFO, pageOf, refusal, secondStep, signedInServer } from '@/test/fake-server'
import { accessToken, clearTokens, spaceId } from './token-store.ts'
import { withPasskeys } from '@/test/passkeys'
import { renderRoute } from '@/test/render-route'

// covers AUTH-05 AUTH-06 ERR-04
it('a failed sign-in has one text for every refusal, and the page leads to a new password and a new account', async () => {
  const server = fakeServer()
  server.on(signIn, () => refusal(401, 401))
  const { address } = renderRoute('/auth/login')
  await userEvent.type(await screen.findByLabelText('Username'), 'ada@nile.example')
  await userEvent.type(screen.getByLabelText('Password'), 'wrong')
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(
    "It seems the username or password you entered is not quite right. Please check for typos and ensure your caps lock is off. If you're still having trouble, you can reset your password by clicking on the 'Forgot Password' link",
  )
  expect(screen.getByRole('link', { name: 'Create an account' })).toHaveAttribute('href', '/auth/signup')
  await userEvent.click(screen.getByRole('link', { name: 'Forgot password' }))
  await screen.findByRole('heading', { name: 'Forgot your password?' })
  expect(address()).toBe('/auth/forgot-password')
})

beforeEach(() => clearTokens())

// covers AUTH-01 AUTH-02 AUTH-03 AUTH-04
it('the sign-in page has a welcome heading, a username, a masked password, and a button', async () => {
  fakeServer()
  renderRoute('/auth/login')
  expect(await screen.findByRole('heading', { name: /^Welcome to/ })).toBeVisible()
  expect(screen.getByLabelText('Username')).toBeVisible()
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password')
  expect(screen.getByRole('button', { name: 'Sign in' })).toBeEnabled()
})

it.each([
  ['an empty username', '', 'secret', 'Username', 'This field is required'], // covers AUTH-31 AUTH-34
  ['a username that is no address', 'abc', 'secret', 'Username', 'Enter a valid email address'], // covers AUTH-32
  ['an empty password', 'ada@nile.example', '', 'Password', 'This field is required'], // covers AUTH-33
])('asks for a correction of %s before anything is sent', async (_, username, password, label, message) => {
  const server = fakeServer()
  let calls = 0
  server.on(signIn, () => {
    calls += 1
    return refusal(401, 401)
  })
  renderRoute('/auth/login')
  const field = await screen.findByLabelText('Username')
  if (username !== '') await userEvent.type(field, username)
  if (password !== '') await userEvent.type(screen.getByLabelText('Password'), password)
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  const wrong = screen.getByLabelText(label)
  expect(wrong).toBeInvalid()
  expect(wrong).toHaveAccessibleDescription(message)
  expect(wrong).toHaveFocus()
  expect(calls).toBe(0)
})

// covers AUTH-08 AUTH-19 AUTH-21 CONST-50 CONST-51
it('stores the access token and its expiry, asks for the refresh token in a cookie, and opens the campaigns', async () => {
  const server = signedInServer()
  clearTokens()
  server.on(signIn, () => ({ access_token: 'access', expires_in: 3600, space_id: 'space-1' }))
  server.on(listCampaigns, () => pageOf([]))
  const { address } = renderRoute('/auth/login')
  await userEvent.type(await screen.findByLabelText('Username'), 'ada@nile.example')
  await userEvent.type(screen.getByLabelText('Password'), 'right{Enter}')
  await waitFor(() => expect(address()).toMatch(/^\/campaigns/))
  expect([accessToken(), spaceId()]).toEqual(['access', 'space-1'])
  expect(server.calls(signIn)[0]?.headers.get('X-Placard-Session')).toBe('cookie')
  expect(localStorage.getItem('DSP_REFRESH_TOKEN')).toBeNull()
  expect(localStorage.getItem('DSP_AUTH_TOKEN')).toBe('access')
  const left = Number(localStorage.getItem('DSP_AUTH_TOKEN_EXPIRES_AT')) - Date.now()
  expect(left).toBeGreaterThan(3_500_000)
})

// covers AUTH-07
it.each([
  ['the logo of the white-label', '/v1/file/cache/logo', 1],
  ['no picture without one', null, 0],
])('shows %s', async (_, logo, pictures) => {
  const server = signedInServer()
  clearTokens()
  server.on(whitelabelInfo, () => ({
    ...INFO,
    name: 'Nile Ads',
    whitelabel_settings: { ...INFO.whitelabel_settings, company_logo: logo },
  }))
  renderRoute('/auth/login')
  await screen.findByRole('heading', { name: 'Welcome to Nile Ads' })
  expect(screen.queryAllByRole('img', { name: 'Nile Ads' })).toHaveLength(pictures)
})

it('offers a passkey where the browser has them, and says so when the user gave up', async () => {
  withPasskeys()
  const server = fakeServer()
  const begun: unknown[] = []
  server.on(beginPasskeySignIn, ({ body }) => {
    begun.push(body)
    return { rpId: 'localhost', challenge: 'AA', timeout: 1000, allowCredentials: [], userVerification: 'required' as const }
  })
  renderRoute('/auth/login')
  await userEvent.click(await screen.findByRole('button', { name: 'Use a passkey' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('No passkey was used. Try again, or use another way.')
  expect(begun).toEqual([{}])
})

it.each([
  ['offers a passkey in the second step to who has one', true],
  ['asks for a code alone in the second step of who has none', false],
])('the sign-in page %s', async (_, passkey) => {
  withPasskeys()
  const server = fakeServer()
  server.on(signIn, () => secondStep({ challenge: 'step', passkey }))
  renderRoute('/auth/login')
  await userEvent.type(await screen.findByLabelText('Username'), 'ada@nile.example')
  await userEvent.type(screen.getByLabelText('Password'), 'right{Enter}')
  expect(await screen.findByLabelText('Code')).toBeVisible()
  expect(screen.queryAllByRole('button', { name: 'Use a passkey' })).toHaveLength(passkey ? 1 : 0)
})
