import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { signIn } from '../../api/contract/session.ts'
import { fakeServer, refusal } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

it('a failed sign-in explains that there is no password reset link yet, and what to do instead', async () => {
  const server = fakeServer()
  server.on(signIn, () => refusal(401, 401))
  renderRoute('/auth/login')
  await userEvent.type(await screen.findByLabelText('Username'), 'ada@nile.example')
  await userEvent.type(screen.getByLabelText('Password'), 'wrong')
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent(/not quite right/)
  expect(alert).toHaveTextContent(/There is no such link yet\. Ask your administrator for a new password\.$/)
})
