SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'bench' AND table = '{name}'
