import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { signIn } from '../../api/contract/session.ts'
import { fakeServer, refusal } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

it('a failed sign-in has one text for every refusal, and the page leads to a new password and a new account', async () => {
  const server = fakeServer()
  server.on(signIn, () => refusal(401, 401))
  const { address } = renderRoute('/auth/login')
  await userEvent.type(await screen.findByLabelText('Username'), 'ada@nile.example')
  await userEvent.type(screen.getByLabelText('Password'), 'wrong')
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(/not quite right.*'Forgot Password' link$/)
  expect(screen.getByRole('link', { name: 'Create an account' })).toHaveAttribute('href', '/auth/signup')
  await userEvent.click(screen.getByRole('link', { name: 'Forgot password' }))
  await screen.findByRole('heading', { name: 'Forgot your password?' })
  expect(address()).toBe('/auth/forgot-password')
})
