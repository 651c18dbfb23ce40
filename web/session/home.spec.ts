import { expect, it } from 'vitest'
import { homeOf } from './home.ts'

// covers FP-74
it.each([
  ['/admin/customization', ['SYSTEM_ADMIN']],
  ['/overview', ['WL_OWNER']],
  ['/moderation', ['WL_MODERATOR']],
  ['/admin/payments', ['WHITELABEL_ACCOUNTANT']],
  ['/audit', ['AUDITOR']],
  ['/campaigns', ['USER_OWNER']],
  ['/campaigns', ['USER_VIEWER']],
  ['/payments/history', ['ACCOUNTANT']],
  ['/admin/payments', ['USER_OWNER', 'WHITELABEL_ACCOUNTANT']],
  ['/campaigns', ['ACCOUNTANT', 'USER_OWNER']],
  ['/profile', ['GUEST']],
])('starts at %s with the roles %j', (home, roles) => {
  expect(homeOf({ roles })).toBe(home)
})
