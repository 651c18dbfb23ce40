import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Role } from '../../../domain/kit/access.ts'
import { openApp, waiting } from '@/test/queue-fixture'

async function linksOf(role: Role) {
  openApp('/campaigns', role, [waiting('one'), waiting('two')])
  const navigation = await screen.findByRole('navigation', { name: 'Main navigation' })
  if (role === 'WL_MODERATOR') await within(navigation).findByText('2')
  return within(navigation)
    .getAllByRole('link')
    .map(({ textContent }) => textContent)
}

describe('the sidebar', () => {
  // covers CAM-ROLE-09
  it('shows only campaigns to advertisers', async () => {
    expect(await linksOf('USER_OWNER')).toEqual(['Campaigns', 'Events', 'Reports'])
  })

  // covers CAM-ROLE-10..13
  it('shows campaigns and the moderation queue with its count to moderators, and no administration', async () => {
    expect(await linksOf('WL_MODERATOR')).toEqual(['Campaigns', 'Events', 'Reports', 'All accounts', 'Moderation2'])
  })
})
