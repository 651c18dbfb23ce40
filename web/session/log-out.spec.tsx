import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { getUser, signIn, signOut } from '#contract/session'
import { authHeaders, endSession } from '@/data/client'
import { PERSON, refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { finishLogOut } from './log-out.ts'
import { accessToken, isSignOutOpen, noteSignOut, spaceId, storedRefreshToken, storeGrant } from './token-store.ts'

// covers AUTH-25 AUTH-26 AUTH-28 AUTH-29 AUTH-30
it('Log out clears everything that was stored, and the next user sees nothing of the previous one', async () => {
  const server = signedInServer()
  const ended: unknown[] = []
  server.on(signOut, ({ body }) => {
    ended.push(body)
    return { end_url: null }
  })
  const { address } = renderRoute('/profile')
  expect(await screen.findByDisplayValue(PERSON.email)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Log out' }))
  await waitFor(() => expect(address()).toBe('/auth/login'))
  expect([accessToken(), storedRefreshToken(), spaceId(), localStorage.getItem('DSP_AUTH_TOKEN_EXPIRES_AT')]).toEqual([
    null,
    null,
    null,
    null,
  ])
  expect(authHeaders(false).has('Authorization')).toBe(false)
  await waitFor(() => expect(ended).toHaveLength(1))

  server.on(getUser, () => ({ ...PERSON, id: 'bola', email: 'bola@lagos.example', first_name: 'Bola' }))
  server.on(signIn, () => ({ access_token: 'b', expires_in: 3600, space_id: 'space-2' }))
  await userEvent.type(await screen.findByLabelText('Username'), 'bola@lagos.example')
  await userEvent.type(screen.getByLabelText('Password'), 'right{Enter}')
  expect(await screen.findByRole('button', { name: /^User menu.*Bola/ })).toBeVisible()
  expect(screen.queryByText(new RegExp(PERSON.email))).toBeNull()
})

it('the sign-in page keeps the reason when a call that was on its way fails with the ended session', async () => {
  signedInServer()
  const { address } = renderRoute('/profile')
  expect(await screen.findByDisplayValue(PERSON.email)).toBeVisible()
  endSession('handed-over')
  endSession('expired')
  expect(await screen.findByText(/^You handed the ownership over/)).toBeVisible()
  expect(address()).toBe('/auth/login?after=hand-over')
})

it('a sign-out without a connection is repeated once there is one, unless another user signed in', async () => {
  const server = signedInServer()
  server.on(signOut, () => refusal(1, 500))
  renderRoute('/profile')
  await userEvent.click(await screen.findByRole('button', { name: 'Log out' }))
  await waitFor(() => expect(server.calls(signOut)).toHaveLength(1))
  expect([accessToken(), isSignOutOpen()]).toEqual([null, true])
  server.on(signOut, () => ({ end_url: null }))
  finishLogOut()
  await waitFor(() => expect(isSignOutOpen()).toBe(false))
  finishLogOut()
  noteSignOut(true)
  storeGrant({ access_token: 'b', expires_in: 3600 }, Date.now())
  finishLogOut()
  expect(server.calls(signOut)).toHaveLength(2)
})
