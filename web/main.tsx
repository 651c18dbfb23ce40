// The base libraries run in one task and the application in the next: together they are a long task on a slow processor.
import 'react-dom/client'
import '@/styles.css'

void import('@/application').then(({ start }) => start())
