import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { listApiKeys, revokeApiKey } from '#contract/api-keys'
import { listSessions, listSignIns, readSecondFactor } from '#contract/profile'
import { listPasskeys } from '#contract/passkeys'
import { beginPasskeyProof, prove } from '#contract/step-up'
import { stepUp } from '@/data/step-up'
import { toast } from '@/lib/toast'
import { proofAsked, refusal, signedInServer } from '@/test/fake-server'
import { withPasskeys } from '@/test/passkeys'
import { renderRoute } from '@/test/render-route'
import { turns } from '@/test/time'

// The question outlives the page of a test, and so would the message that it was given up.
afterEach(async () => {
  stepUp.answer(false)
  await turns()
})

const KEY = {
  id: 'key-1',
  name: 'Export',
  hint: 'a1b2',
  scopes: ['read' as const],
  created_at: '2026-11-01T10:00:00.000Z',
  expires_at: '2099-11-01T10:00:00.000Z',
  used_at: null,
  revoked_at: null,
  replaced_at: null,
}
const UNTIL = { proved_until: '2099-01-01T00:00:00.000Z', position: '1' }

/** The profile of a user whose proof is old; revoking a key needs one. */
async function revoke(...methods: readonly ('password' | 'code' | 'passkey' | 'sign_on')[]) {
  const server = signedInServer({ role: 'USER_OWNER' })
  const state = { isProved: false, revoked: 0, refused: 0 }
  server.on(listSessions, () => [])
  server.on(listSignIns, () => [])
  server.on(readSecondFactor, () => ({ on: methods.includes('code'), recovery_codes_left: 1 }))
  server.on(listPasskeys, () => [])
  server.on(listApiKeys, () => [KEY])
  server.on(revokeApiKey, () => {
    if (state.isProved) state.revoked++
    else state.refused++
    return state.isProved ? { position: '2' } : proofAsked(...methods)
  })
  renderRoute('/profile?tab=apiKeys')
  await userEvent.click(await screen.findByRole('button', { name: /^Revoke/ }))
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Revoke' }))
  return { server, state, dialog: await screen.findByRole('dialog', { name: 'Confirm that it is you' }) }
}

it('asks for the password by keyboard, shows a wrong one at its field, and sends the call again once', async () => {
  const { server, state, dialog } = await revoke('password')
  const sent: unknown[] = []
  server.on(prove, ({ body }) => {
    sent.push(body)
    state.isProved = sent.length > 1
    return state.isProved ? UNTIL : refusal(2, 400, [{ path: 'password', code: 2, message: '', key: 'password.wrong' }])
  })
  expect(within(dialog).queryByLabelText('Code')).toBeNull()
  await waitFor(() => expect(within(dialog).getByLabelText('Current password')).toHaveFocus())
  await userEvent.keyboard('wrong{Enter}')
  expect(await within(dialog).findByText(/password is not right/i)).toBeVisible()
  const field = within(dialog).getByLabelText('Current password')
  await userEvent.clear(field)
  await userEvent.type(field, 'right{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(state).toEqual({ isProved: true, revoked: 1, refused: 1 }))
  expect(sent).toEqual([{ password: 'wrong' }, { password: 'right' }])
})

it('asks for the code too while the second factor is on, and says when there were too many attempts', async () => {
  const { server, dialog } = await revoke('password', 'code')
  server.on(prove, () => refusal(2, 429, [{ path: '', code: 2, message: '' }]))
  await userEvent.type(within(dialog).getByLabelText('Current password'), 'right')
  expect(within(dialog).getByRole('button', { name: 'Confirm' })).toBeDisabled()
  await userEvent.type(within(dialog).getByLabelText('Code'), '123456{Enter}')
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Too many attempts.')
})

it.each([
  ['by Cancel', (dialog: HTMLElement) => userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))],
  ['by Escape', () => userEvent.keyboard('{Escape}')],
])('says plainly that nothing was changed when the user gives up %s', async (_, giveUp) => {
  const { state, dialog } = await revoke('password')
  const said = vi.spyOn(toast, 'error')
  await giveUp(dialog)
  await waitFor(() => expect(said.mock.calls).toEqual([['Nothing was changed: you did not confirm that it is you.']]))
  said.mockRestore()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(state).toEqual({ isProved: false, revoked: 0, refused: 1 })
})

it('offers a passkey to a user who has one, and stays open when the user gives up the device', async () => {
  withPasskeys()
  const { server, dialog } = await revoke('password', 'passkey')
  server.on(beginPasskeyProof, () => ({
    rpId: 'localhost',
    challenge: 'AA',
    timeout: 1000,
    allowCredentials: [],
    userVerification: 'required' as const,
    position: '1',
  }))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Use a passkey' }))
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('No passkey was used.')
  expect(dialog).toBeVisible()
})

it('leads a user who signed in at an identity provider there and back, and asks for no password', async () => {
  const { server, state, dialog } = await revoke('sign_on')
  expect(within(dialog).queryByLabelText('Current password')).toBeNull()
  const { location, history } = globalThis
  const assign = vi.spyOn(location, 'assign').mockReturnValue()
  onTestFinished(() => {
    assign.mockRestore()
    history.replaceState(null, '', '/')
  })
  history.replaceState(null, '', '/profile?tab=apiKeys')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Sign in at Acme' }))
  expect(assign).toHaveBeenCalledWith('/v1/oauth/sign-on/start/idp-1?to=%2Fprofile%3Ftab%3DapiKeys')
  expect(server.calls(prove)).toEqual([])
  expect(state.revoked).toBe(0)
})

it('offers no passkey to a user without one', async () => {
  withPasskeys()
  const { dialog } = await revoke('password')
  expect(within(dialog).queryByRole('button', { name: 'Use a passkey' })).toBeNull()
})
