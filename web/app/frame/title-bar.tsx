import type { Ref } from 'react'
import { AccountFunds } from './account-funds.tsx'
import { NotificationBell } from './notifications/notification-bell.tsx'

/** The bar above every page: the title, which pages put there, the balance of the account and the notifications. */
export function TitleBar({ start }: { readonly start: Ref<HTMLDivElement> }) {
  return (
    <header
      data-slot="title-bar"
      className="border-border flex min-h-13 shrink-0 items-center gap-x-6 gap-y-2 border-b px-4 py-2 max-md:flex-wrap lg:px-8"
    >
      <div ref={start} className="flex min-h-9 min-w-0 grow flex-wrap items-center gap-x-3 gap-y-2" />
      <div className="ml-auto flex shrink-0 items-center gap-3">
        <AccountFunds />
        <NotificationBell />
      </div>
    </header>
  )
}
