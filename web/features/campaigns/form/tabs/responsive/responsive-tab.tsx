export default function ResponsiveTab() {
  return null
}
