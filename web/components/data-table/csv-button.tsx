import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '@/lib/save-file'
import { toast } from '@/lib/toast'
import { Button } from '../ui/button.tsx'

type CsvButtonProps = {
  /** Name of the saved file. */
  readonly file: string
  readonly load: () => Promise<Blob>
  /** Names the file where a page has several. */
  readonly label?: string
  /** The notice after another kind of file. */
  readonly done?: string
}

/** Saves rows as a file, CSV where no label says otherwise, for the actions of a page or the tools of a table. */
export function CsvButton({ file, load, label, done }: CsvButtonProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => saveFile(await load(), file),
    onSuccess: () => toast.success(done ?? t('csv.done')),
  })
  return (
    <Button variant="outline" disabled={isPending} onClick={() => mutate()}>
      <Download aria-hidden />
      {label ?? t('csv.label')}
    </Button>
  )
}
