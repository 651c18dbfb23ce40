import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { getUser, switchAccount } from '#contract/session'
import { PERSON, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const account = (name: string, roles: string[], home = false) => ({
  space_id: `space-${name.replaceAll(' ', '-')}`,
  space_name: name,
  home,
  roles,
})
const HOME = { ...account('Nile Retail', ['USER_OWNER'], true), space_id: PERSON.space_id }

function open(accounts: (typeof HOME)[]) {
  const server = signedInServer()
  const user = { ...PERSON, accounts }
  server.on(getUser, () => user)
  renderRoute('/campaigns')
  return server
}

const button = () => screen.findByRole('button', { name: /^Account: Nile Retail/ })

it('the account switcher is not there for users of one account', async () => {
  open([HOME])
  expect(await screen.findByRole('heading', { name: 'Campaigns' })).toBeVisible()
  expect(screen.queryByRole('button', { name: /^Account:/ })).toBeNull()
})

it('lists the accounts with the roles in each, ticks the current one, and switches by keyboard', async () => {
  const user = userEvent.setup()
  const server = open([HOME, account('Lagos Radio', ['USER_VIEWER', 'ACCOUNTANT'])])
  const asked: string[] = []
  server.on(switchAccount, ({ params: { id = '' } }) => {
    asked.push(id)
    return { access_token: 'a', refresh_token: 'r', expires_in: 3600, space_id: id }
  })
  ;(await button()).focus()
  await user.keyboard('{ArrowDown}')
  const menu = await screen.findByRole('menu', { name: 'Your accounts' })
  const items = within(menu).getAllByRole('menuitemradio')
  expect(items.map(({ textContent }) => textContent)).toEqual(['Nile Retail Advertiser', 'Lagos Radio Accountant, Viewer'])
  expect(items.map((item) => item.getAttribute('aria-checked'))).toEqual(['true', 'false'])
  items[1]?.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(asked).toEqual(['space-Lagos-Radio']))
})

it('leads to an account by its letters', async () => {
  const user = userEvent.setup()
  open([HOME, ...Array.from({ length: 8 }, (_, i) => account(`Shop ${i}`, ['USER_VIEWER'])), account('Zanzibar', ['ACCOUNTANT'])])
  ;(await button()).focus()
  await user.keyboard('{ArrowDown}')
  await screen.findByRole('menu', { name: 'Your accounts' })
  await user.keyboard('za')
  await waitFor(() => expect(screen.getByRole('menuitemradio', { name: 'Zanzibar Accountant' })).toHaveFocus())
})
