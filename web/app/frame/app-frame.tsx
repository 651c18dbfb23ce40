import { Outlet } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActingStrip } from '../search/acting-strip.tsx'
import { ShortcutHelp } from '../shortcuts/shortcut-help.tsx'
import { AppSidebar } from './app-sidebar.tsx'
import { LowBalanceNote } from './low-balance-note.tsx'
import { NarrowNote } from './narrow-note.tsx'
import { SessionNotice } from './session-notice.tsx'
import { useArrivalFocus } from './use-arrival-focus.ts'
import { useLiveUpdates } from './use-live-updates.ts'

/** The signed-in frame: navigation beside the page, or above it in windows narrower than 1024 px (200 % zoom on a laptop). */
export function AppFrame() {
  const { t } = useTranslation()
  useLiveUpdates()
  const content = useArrivalFocus()
  const begun = useSecondPass()
  return (
    <>
      <div className="flex min-h-dvh flex-col lg:flex-row">
        <a
          href="#content"
          className="bg-primary text-primary-foreground rounded-md absolute top-2 left-2 z-60 -translate-y-20 px-3 py-2 focus:translate-y-0"
        >
          {t('skipToContent')}
        </a>
        <AppSidebar begun={begun} />
        <main ref={content} id="content" tabIndex={-1} className="min-w-0 grow outline-none">
          <ActingStrip />
          <NarrowNote />
          {begun && <LowBalanceNote />}
          {begun && <Outlet />}
          <div id="menus" />
        </main>
      </div>
      <ShortcutHelp />
      <SessionNotice />
    </>
  )
}

/** False in the first render pass, so that the frame is painted before the page, which renders in a task of its own. */
function useSecondPass(): boolean {
  const [second, setSecond] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSecond(true))
    return () => clearTimeout(timer)
  }, [])
  return second
}
