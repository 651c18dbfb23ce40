import { Braces } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'

type CopyJsonProps = { readonly value: unknown; readonly className?: string }

/** Copies a value to the clipboard in its wire format. */
export function CopyJson({ value, className }: CopyJsonProps) {
  const { t } = useTranslation('log')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(value, null, 2))
      toast.success(t('copied'))
    } catch {
      toast.error(t('copyFailed'))
    }
  }
  return (
    <Button variant="ghost" size="sm" className={className} onClick={() => void copy()}>
      <Braces aria-hidden />
      {t('copy')}
    </Button>
  )
}
