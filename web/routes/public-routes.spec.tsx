import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { verifyToken } from '#contract/registration'
import { fakeServer, refusal } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

describe('public pages without a session', () => {
  it.each([
    ['/auth/login', 'Password'], // covers ROUTE-01
    ['/auth/signup', 'Company name'], // covers ROUTE-02
    ['/auth/forgot-password', /^Email/], // covers ROUTE-03
    ['/auth/reset-password/abc', 'Confirm password'], // covers ROUTE-04
  ])('%s is open', async (path, label) => {
    fakeServer()
    const { address } = renderRoute(path)
    expect(await screen.findByLabelText(label)).toBeVisible()
    expect(address()).toBe(path)
  })

  // covers ROUTE-05
  it('a link of a registration is open, and says what is wrong with it', async () => {
    const server = fakeServer()
    server.on(verifyToken, () => refusal(5, 401))
    renderRoute('/auth/confirm-registration/abc')
    expect(await screen.findByText('Token invalid')).toBeVisible()
  })

  // covers ROUTE-06
  it.each(['/xyz', '/auth/xyz'])('%s leads to the sign-in page', async (path) => {
    fakeServer()
    const page = renderRoute(path)
    await waitFor(() => expect(page.history.location.pathname).toBe('/auth/login'))
  })
})
