import { join } from 'node:path';
import { ROOT } from '../install.ts';
import { checkAdvisories } from './advisories.ts';
import { pinImages } from './images.ts';
import { forbiddenLicences, installedPackages, licencePage } from './licences.ts';
import { listOutdated } from './outdated.ts';
import { writeSbom } from './sbom.ts';

const USAGE = `bun run supply advisories      known weaknesses of the dependencies, from the registry
bun run supply outdated        which dependencies are behind, and why (scripts/supply/behind.json)
bun run supply licences        writes docs/licences.md; refuses licences that are not allowed
bun run supply sbom FILE       a bill of materials (CycloneDX) of bun.lock
bun run supply pin-images      writes the digest behind each image into Dockerfiles and docker-compose.yml`;

async function licences(): Promise<number> {
  const packages = await installedPackages(
    join(ROOT, 'node_modules'),
    await Bun.file(join(ROOT, 'bun.lock')).text(),
  );
  await Bun.write(join(ROOT, 'docs/licences.md'), licencePage(packages));
  const forbidden = forbiddenLicences(packages);
  for (const { name, licence } of forbidden) console.error(`${name}: ${licence} is not allowed.`);
  return forbidden.length > 0 ? 1 : 0;
}

async function images(): Promise<number> {
  for (const file of ['Dockerfile', 'deploy/one/Dockerfile', 'docker-compose.yml']) {
    const path = join(ROOT, file);
    await Bun.write(path, await pinImages(await Bun.file(path).text()));
  }
  return 0;
}

export async function supply([command, file]: readonly string[]): Promise<number> {
  switch (command) {
    case 'advisories':
      return checkAdvisories();
    case 'outdated':
      return listOutdated();
    case 'licences':
      return licences();
    case 'sbom':
      if (file !== undefined) return writeSbom(file);
      break;
    case 'pin-images':
      return images();
  }
  console.error(USAGE);
  return 1;
}
