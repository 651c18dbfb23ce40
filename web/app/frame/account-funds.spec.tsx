import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { balance } from '#contract/balance'
import { fundsOf } from '@/test/funds-fixture'
import { openApp } from '@/test/queue-fixture'

describe('the balance in the frame', () => {
  // covers SHELL-11 SHELL-12
  it('the balance in the frame is a spinner while it loads, then the amount with its currency and how long it lasts', async () => {
    let tell: (funds: ReturnType<typeof fundsOf>) => void = () => {}
    openApp('/campaigns', 'USER_OWNER', [], (server) => server.on(balance, () => new Promise((resolve) => (tell = resolve))))
    const label = await screen.findByText('Balance')
    const entry = label.closest('dl')
    expect(within(entry as HTMLElement).getByRole('status', { name: 'Loading' })).toBeVisible()
    tell(fundsOf(1234.5, { runway_days: 4.7 }))
    expect(await screen.findByText('$1,234.50')).toBeVisible()
    expect(screen.getByText('Lasts about 4 days')).toBeVisible()
    expect(screen.queryByLabelText('The balance is low')).toBeNull()
  })

  it('the balance in the frame is not shown to staff in an account without money', async () => {
    openApp('/campaigns', 'WL_OWNER', [], (server) => server.on(balance, () => fundsOf(0)))
    await screen.findByRole('navigation', { name: 'Main navigation' })
    expect(screen.queryByText('Balance')).toBeNull()
  })

  it('comes with the most urgent notice, which can be dismissed', async () => {
    const low = fundsOf(42, { notices: ['runway_1', 'runway_3'], runway_days: 0.4 })
    openApp('/campaigns', 'USER_OWNER', [], (server) => server.on(balance, () => low))
    const note = await screen.findByText('$42.00 is left, which lasts less than a day at the present spend.')
    expect(screen.getByLabelText('The balance is low')).toBeVisible()
    await userEvent.click(within(note.parentElement as HTMLElement).getByRole('button', { name: 'Dismiss' }))
    expect(note).not.toBeInTheDocument()
  })
})
