import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { accountTotals, adminUser, listAccounts, staff } from '#contract/accounts'
import { storedLanguage } from '@/i18n/setup'
import { accountWith } from '@/test/account-fixture'
import { fakeServer, pageOf, refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

/** A white-label's owner, with what the pages of accounts load. */
function ownerAt(path: string) {
  const server = signedInServer({ role: 'WL_OWNER' })
  server.on(adminUser, () => accountWith())
  server.on(staff, () => ({ people: [] }))
  server.on(listAccounts, () => pageOf([accountWith()]))
  server.on(accountTotals, () => ({ count: 1, suspended: 0, balance: {}, spent: {} }))
  return renderRoute(path)
}

describe('a signed-out visitor at', () => {
  it.each([
    ['/auth/login', /^Welcome to/], // covers ROUTE-01
    ['/auth/signup', /^Create an account/], // covers ROUTE-02
    ['/auth/forgot-password', /^Forgot your password/], // covers ROUTE-03
    ['/auth/reset-password/abc', /^Choose a new password/], // covers ROUTE-04
    ['/auth/confirm-registration/abc', /./], // covers ROUTE-05
  ])('%s is at that page', async (path, heading) => {
    fakeServer()
    const { history } = renderRoute(path)
    expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeVisible()
    expect(history.location.pathname).toBe(path)
  })

  // covers ROUTE-06
  it('a signed-out visitor at any other address is asked to sign in', async () => {
    fakeServer()
    const { history } = renderRoute('/auth/elsewhere')
    await waitFor(() => expect(history.location.pathname).toBe('/auth/login'))
  })

  // covers I18N-03
  it('the sign-in page reads English with a clean browser', async () => {
    fakeServer()
    expect(storedLanguage()).toBe('en')
    renderRoute('/auth/login')
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeVisible()
  })
})

describe('a signed-in user at', () => {
  it.each([
    ['/profile', 'USER_OWNER', 'Settings'], // covers ROUTE-08
    ['/reports', 'USER_OWNER', 'Reports'], // covers ROUTE-09
    ['/settings', 'WL_OWNER', 'Settings'], // covers ROUTE-10
    ['/profile-whitelabel', 'WL_OWNER', 'My profile'], // covers ROUTE-16
  ])('%s as %s is at %s', async (path, role, title) => {
    signedInServer({ role })
    const { history } = renderRoute(path)
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible()
    expect(history.location.pathname).toBe(path)
  })
})

describe('an owner in the administration at', () => {
  // covers ROLE-03
  it.each([
    ['/admin/accounts', /^Accounts/], // covers ROUTE-19 SHELL-03
    ['/admin/user/details/ada', /Nile Travel/], // covers ROUTE-22
    ['/admin/legal-entity/user/ada', /Legal entity/], // covers ROUTE-24
  ])('%s is at that page', async (path, heading) => {
    const { history } = ownerAt(path)
    expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeVisible()
    expect(history.location.pathname).toBe(path)
  })
})

it.each(['/admin/user/details/nobody', '/admin/legal-entity/user/nobody'])('%s of a missing account says so', async (path) => {
  signedInServer({ role: 'WL_OWNER' }).on(adminUser, () => refusal(7, 404))
  renderRoute(path)
  expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
})

describe('Log out', () => {
  // covers SHELL-13
  it('Log out is a button of the profile page alone; everywhere it is in the menu of the user', async () => {
    signedInServer()
    const { router } = renderRoute('/campaigns')
    await screen.findByRole('heading', { level: 1, name: 'Campaigns' })
    expect(screen.queryByRole('button', { name: 'Log out' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: /^User menu/ }))
    expect(await screen.findByRole('menuitem', { name: 'Log out' })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await router.navigate({ to: '/profile' })
    expect(await screen.findByRole('button', { name: 'Log out' })).toBeVisible()
  })
})

// covers SHELL-29 SHELL-33
it('the navigation of an owner leads to the settings and the accounts', async () => {
  ownerAt('/campaigns')
  const own = await screen.findByRole('navigation', { name: 'Main navigation' })
  expect(within(own).getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '/settings')
  const administration = screen.getByRole('navigation', { name: 'Administration' })
  expect(within(administration).getByRole('link', { name: /^Accounts/ })).toHaveAttribute('href', '/admin/accounts')
})
