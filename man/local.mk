dist_man_MANS += man/shunt.1 man/shunt.cfg.5
