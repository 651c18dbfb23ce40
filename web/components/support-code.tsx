import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { copySupportCode } from '@/i18n/copy-support-code'
import { supportText } from '@/i18n/error-text'
import { Button } from './ui/button.tsx'

/** The code of an unexpected error for support, and a button that copies it. */
export function SupportCode({ code }: { readonly code: string }) {
  const { t } = useTranslation()
  return (
    <p className="text-muted-foreground flex flex-wrap items-center justify-center gap-2 text-xs">
      <span translate="no" className="select-all">
        {supportText(code)}
      </span>
      <Button variant="ghost" size="sm" onClick={() => void copySupportCode(code)}>
        <Copy aria-hidden />
        {t('support.copy')}
      </Button>
    </p>
  )
}
