import { Outlet } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActingStrip } from '../search/acting-strip.tsx'
import { TitleBarContext } from '@/components/page/title-bar'
import { ShortcutHelp } from '../shortcuts/shortcut-help.tsx'
import { AppSidebar } from './app-sidebar.tsx'
import { LowBalanceNote } from './low-balance-note.tsx'
import { NarrowNote } from './narrow-note.tsx'
import { OfflineBar } from './offline-bar.tsx'
import { SessionNotice } from './session-notice.tsx'
import { TitleBar } from './title-bar.tsx'
import { useArrivalFocus } from './use-arrival-focus.ts'
import { useLiveUpdates } from './use-live-updates.ts'
import '@/i18n/texts/frame'

/** The signed-in frame: navigation beside the page, or behind a button above it in windows narrower than 1024 px. */
export function AppFrame() {
  const { t } = useTranslation()
  useLiveUpdates()
  const content = useArrivalFocus()
  const begun = useSecondPass()
  const [titles, setTitles] = useState<HTMLElement | null>(null)
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
        <main ref={content} id="content" tabIndex={-1} className="min-w-0 grow outline-none lg:[--title-bar:3.25rem]">
          <ActingStrip />
          <NarrowNote />
          <TitleBar start={setTitles} />
          <OfflineBar />
          {begun && <LowBalanceNote />}
          {begun && (
            <TitleBarContext value={titles}>
              <Outlet />
            </TitleBarContext>
          )}
          <div id="menus" />
        </main>
      </div>
      <ShortcutHelp />
      <SessionNotice />
    </>
  )
}

/** False in the first render pass, so that the frame is painted before the page, which renders in its own task. */
function useSecondPass(): boolean {
  const [second, setSecond] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSecond(true))
    return () => clearTimeout(timer)
  }, [])
  return second
}
